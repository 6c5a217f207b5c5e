"""The annotated corpus of everyday English under ``data/everyday``.

Written pairs are complete ``.wa`` files. Real pairs are stand-off annotation: token numbers and
labels, to be joined with the sentences of other data sets, which are not ours to pass on.
"""
