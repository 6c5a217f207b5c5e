from ists.stages import Stages, stage, watched


def test_stages_outside_watched_are_not_recorded():
    with stage("alone"):
        pass
    with watched() as stages:
        pass
    assert stages.seconds == {}


def test_the_times_of_a_stage_add_up():
    with watched() as stages:
        for name in ("one", "two", "one"):
            with stage(name):
                pass
    assert list(stages.seconds) == ["one", "two"]
    assert all(seconds >= 0 for seconds in stages.seconds.values())


def test_a_failed_stage_is_timed():
    with watched() as stages:
        try:
            with stage("broken"):
                raise ValueError
        except ValueError:
            pass
    assert "broken" in stages.seconds


def test_the_table_has_a_line_per_stage_and_a_total():
    stages = Stages()
    stages.add("encoder", 3.0)
    stages.add("trees", 1.0)
    lines = stages.table(5.0, 100).splitlines()
    assert [line.split()[0] for line in lines] == ["stage", "encoder", "trees", "whole"]
    assert lines[1].split()[1:] == ["3.00", "30.000", "60.0%"]
    assert lines[-1].split()[2:] == ["5.00", "50.000", "100.0%"]
