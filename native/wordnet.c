/* Profiles of words in WordNet: the counterpart of `ists/lexicon/profiles.py`. */

#include "kernels.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HYPERNYM = 1, INSTANCE_HYPERNYM, HOLONYM, SIMILAR, ANTONYM = 10 }; /* as `SynsetEdge` */
enum { SYNONYM, HYPONYM, HYPERNYM_OF, COHYPONYM, NEAR, KINDS };           /* as `ANCESTOR_KINDS` */
enum { BY_ANCESTORS = 1, BY_LINKS = 2, BY_LINKS_BACK = 4 };

#define MAX_CLIMB 6
#define MAX_HYPERNYM_DISTANCE 6
#define RARE_SENSE 0.7
#define MIN_INFORMATION 0.25

/* The columns of the table, with the type of their items. */
enum {
    EDGE_START, EDGE_KIND, EDGE_TARGET, SENSE_SYNSET, SENSE_EDGE_START, SENSE_EDGE_TARGET,
    SYNSET_FILE, BREADTH,
    /* by file: is a file of verbs; highest breadth of an informative synset; log of the size */
    IS_VERB, BROADEST, LOG_SIZE,
    /* factors of the strength: by distance, and by kind */
    KEPT, BASE,
    COLUMNS
};
static const Py_ssize_t ITEM[COLUMNS] = {4, 1, 4, 4, 4, 4, 1, 4, 1, 8, 8, 8, 8};

typedef struct {
    PyObject_HEAD
    int held;
    Py_buffer column[COLUMNS];
} Graph;

#define U32(graph, name) ((const uint32_t *)(graph)->column[name].buf)
#define U8(graph, name) ((const uint8_t *)(graph)->column[name].buf)
#define F64(graph, name) ((const double *)(graph)->column[name].buf)

/* A synset that is reached from a word. */
typedef struct {
    int32_t synset;
    uint8_t distance;
    uint8_t informative;
    double weight;
} Step;

typedef struct {
    PyObject_HEAD
    Graph *graph;
    PyObject *lemmas;
    int32_t senses, synsets, above, own, linked; /* numbers of items */
    int32_t *sense;                              /* the word's senses */
    double *sense_weight, *synset_weight;
    Step *step;      /* the word's own synsets, then their hypernyms, as Python's dict has them */
    int32_t *sorted; /* indices of steps, by synset */
    int32_t *own_set, *linked_set; /* sorted; senses as complements */
    void *memory;
} Profile;

static PyTypeObject *profile_type;

/* ---- a growing list of integers ---- */

typedef struct {
    int32_t *item;
    Py_ssize_t count, room;
    int32_t first[512];
} List;

static void
start_list(List *list)
{
    list->item = list->first;
    list->count = 0;
    list->room = 512;
}

static int
append(List *list, int32_t value)
{
    if (list->count == list->room) {
        int32_t *larger = malloc(2 * list->room * sizeof(int32_t));
        if (larger == NULL)
            return 0;
        memcpy(larger, list->item, list->count * sizeof(int32_t));
        if (list->item != list->first)
            free(list->item);
        list->item = larger;
        list->room *= 2;
    }
    list->item[list->count++] = value;
    return 1;
}

static void
end_list(List *list)
{
    if (list->item != list->first)
        free(list->item);
}

static int
ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void
sort_unique(List *list)
{
    Py_ssize_t kept = 0;
    qsort(list->item, list->count, sizeof(int32_t), ascending);
    for (Py_ssize_t k = 0; k < list->count; k++)
        if (k == 0 || list->item[k] != list->item[kept - 1])
            list->item[kept++] = list->item[k];
    list->count = kept;
}

/* ---- the steps of a profile while it is built: a dict by synset, in the order of insertion ---- */

typedef struct {
    Step *step;
    int32_t *slot; /* index of a step + 1, by hash */
    Py_ssize_t count, room;
    Step first[256];
    int32_t first_slot[1024];
} Steps;

static void
start_steps(Steps *steps)
{
    steps->step = steps->first;
    steps->slot = steps->first_slot;
    steps->count = 0;
    steps->room = 256;
    memset(steps->first_slot, 0, sizeof(steps->first_slot));
}

static void
end_steps(Steps *steps)
{
    if (steps->step != steps->first) {
        free(steps->step);
        free(steps->slot);
    }
}

static int32_t *
slot_of(const Steps *steps, int32_t synset)
{
    size_t mask = 4 * steps->room - 1;
    size_t at = ((uint32_t)synset * 2654435761u >> 7) & mask;
    while (steps->slot[at] && steps->step[steps->slot[at] - 1].synset != synset)
        at = (at + 1) & mask;
    return &steps->slot[at];
}

static int
grow_steps(Steps *steps)
{
    Py_ssize_t room = 2 * steps->room;
    Step *step = malloc(room * sizeof(Step));
    int32_t *slot = calloc(4 * room, sizeof(int32_t));
    if (step == NULL || slot == NULL) {
        free(step);
        free(slot);
        return 0;
    }
    memcpy(step, steps->step, steps->count * sizeof(Step));
    end_steps(steps);
    steps->step = step;
    steps->slot = slot;
    steps->room = room;
    for (Py_ssize_t k = 0; k < steps->count; k++)
        *slot_of(steps, step[k].synset) = (int32_t)k + 1;
    return 1;
}

/* Keep the best path to a synset: the one with the highest resulting strength. */
static int
keep(Steps *steps, const double *kept, int32_t synset, int distance, double weight)
{
    int32_t *slot = slot_of(steps, synset);
    if (*slot) {
        Step *known = &steps->step[*slot - 1];
        if (weight * kept[distance] > known->weight * kept[known->distance]) {
            known->distance = (uint8_t)distance;
            known->weight = weight;
        }
        return 1;
    }
    if (steps->count == steps->room) {
        if (!grow_steps(steps))
            return 0;
        slot = slot_of(steps, synset);
    }
    Step *step = &steps->step[steps->count++];
    step->synset = synset;
    step->distance = (uint8_t)distance;
    step->weight = weight;
    *slot = (int32_t)steps->count;
    return 1;
}

/* ---- the graph ---- */

/* Append the targets of a synset's edges of one kind. */
static int
append_targets(const Graph *g, uint32_t synset, int kind, List *list)
{
    const uint32_t *start = U32(g, EDGE_START);
    for (uint32_t e = start[synset]; e < start[synset + 1]; e++)
        if (U8(g, EDGE_KIND)[e] == kind && !append(list, (int32_t)U32(g, EDGE_TARGET)[e]))
            return 0;
    return 1;
}

/* Append the antonyms of a similar adjective or a verb's hypernym, and their neighbours. */
static int
append_inherited(const Graph *g, uint32_t synset, List *list)
{
    const uint32_t *start = U32(g, EDGE_START);
    for (uint32_t e = start[synset]; e < start[synset + 1]; e++) {
        if (U8(g, EDGE_KIND)[e] != ANTONYM)
            continue;
        uint32_t opposite = U32(g, EDGE_TARGET)[e];
        if (!append(list, (int32_t)opposite) || !append_targets(g, opposite, SIMILAR, list))
            return 0;
    }
    return 1;
}

/* Append the targets of a synset's links. */
static int
append_links(const Graph *g, uint32_t synset, List *list)
{
    const uint32_t *start = U32(g, EDGE_START);
    int is_verb = U8(g, IS_VERB)[U8(g, SYNSET_FILE)[synset]];
    for (uint32_t e = start[synset]; e < start[synset + 1]; e++) {
        int kind = U8(g, EDGE_KIND)[e];
        uint32_t target = U32(g, EDGE_TARGET)[e];
        int succeeded = kind <= INSTANCE_HYPERNYM || append(list, (int32_t)target);
        if (kind == HOLONYM)
            succeeded = succeeded && append_targets(g, target, HOLONYM, list);
        else if (kind == ANTONYM)
            succeeded = succeeded && append_targets(g, target, SIMILAR, list);
        else if (kind == SIMILAR || (is_verb && kind == HYPERNYM))
            succeeded = succeeded && append_inherited(g, target, list);
        if (!succeeded)
            return 0;
    }
    return 1;
}

/* Keep the hypernyms of a synset with their distances, nearest first. */
static int
climb(const Graph *g, int32_t synset, double weight, Steps *steps, List *seen)
{
    const uint32_t *start = U32(g, EDGE_START);
    Py_ssize_t from = 0, to;
    seen->count = 0;
    for (int distance = 1; distance <= MAX_CLIMB; distance++) {
        to = seen->count;
        for (Py_ssize_t k = distance == 1 ? -1 : from; k < (distance == 1 ? 0 : to); k++) {
            uint32_t below = (uint32_t)(k < 0 ? synset : seen->item[k]);
            for (uint32_t e = start[below]; e < start[below + 1]; e++) {
                if (U8(g, EDGE_KIND)[e] > INSTANCE_HYPERNYM)
                    break; /* edges are sorted by kind */
                int32_t ancestor = (int32_t)U32(g, EDGE_TARGET)[e];
                int is_new = 1;
                for (Py_ssize_t n = 0; n < seen->count && is_new; n++)
                    is_new = seen->item[n] != ancestor;
                if (is_new && (!append(seen, ancestor) ||
                               !keep(steps, F64(g, KEPT), ancestor, distance, weight)))
                    return 0;
            }
        }
        from = to;
        if (from == seen->count)
            break;
    }
    return 1;
}

static double
information(const Graph *g, int32_t synset)
{
    uint32_t breadth = U32(g, BREADTH)[synset];
    if (breadth == 0)
        return 1.0;
    return 1 - log((double)breadth + 1) / F64(g, LOG_SIZE)[U8(g, SYNSET_FILE)[synset]];
}

/* Copy what was found into one block of memory. */
static int
fill(Profile *profile, const Steps *steps, Py_ssize_t synsets, const List *senses,
     const double *weights, const double *synset_weights, const List *own, const List *linked)
{
    const Graph *g = profile->graph;
    size_t above = steps->count, count = senses->count;
    size_t size = above * (sizeof(Step) + 4) + count * (8 + 4) + synsets * 8 +
                  4 * (own->count + linked->count);
    char *at = profile->memory = malloc(size ? size : 1);
    if (at == NULL)
        return 0;
    profile->above = (int32_t)above;
    profile->synsets = (int32_t)synsets;
    profile->senses = (int32_t)count;
    profile->own = (int32_t)own->count;
    profile->linked = (int32_t)linked->count;
#define TAKE(field, type, source, items)                                                          \
    profile->field = (type *)at;                                                                  \
    memcpy(at, source, (items) * sizeof(type));                                                   \
    at += (items) * sizeof(type);
    TAKE(step, Step, steps->step, above)
    TAKE(sense_weight, double, weights, count)
    TAKE(synset_weight, double, synset_weights, synsets)
    TAKE(sense, int32_t, senses->item, count)
    TAKE(own_set, int32_t, own->item, own->count)
    TAKE(linked_set, int32_t, linked->item, linked->count)
#undef TAKE
    profile->sorted = (int32_t *)at;
    for (int32_t k = 0; k < profile->above; k++) {
        Step *step = &profile->step[k];
        int32_t place = k;
        step->informative = k < synsets || U32(g, BREADTH)[step->synset] <=
                                               F64(g, BROADEST)[U8(g, SYNSET_FILE)[step->synset]];
        while (place > 0 && profile->step[profile->sorted[place - 1]].synset > step->synset) {
            profile->sorted[place] = profile->sorted[place - 1];
            place--;
        }
        profile->sorted[place] = k;
    }
    return 1;
}

static int
follow(Profile *profile, PyObject *commonness)
{
    const Graph *g = profile->graph;
    Steps *steps = malloc(sizeof(Steps));
    List *lists = malloc(4 * sizeof(List)); /* senses, own, linked, seen */
    double *weights = malloc((2 * PyDict_GET_SIZE(commonness) + 1) * sizeof(double));
    int succeeded = steps != NULL && lists != NULL && weights != NULL;
    if (!succeeded) {
        free(steps);
        free(lists);
        free(weights);
        return 0;
    }
    List *senses = lists, *own = lists + 1, *linked = lists + 2, *seen = lists + 3;
    for (int k = 0; k < 4; k++)
        start_list(&lists[k]);
    start_steps(steps);
    Py_ssize_t at = 0;
    PyObject *key, *value;
    while (succeeded && PyDict_Next(commonness, &at, &key, &value)) {
        long sense = PyLong_AsLong(key);
        double common = PyFloat_AsDouble(value);
        succeeded = !PyErr_Occurred();
        if (succeeded && (sense < 0 || sense >= g->column[SENSE_SYNSET].len / 4)) {
            PyErr_SetString(PyExc_IndexError, "a sense outside the table");
            succeeded = 0;
        }
        if (!succeeded)
            break;
        double weight = RARE_SENSE + (1 - RARE_SENSE) * common;
        weights[senses->count] = weight;
        succeeded = append(senses, (int32_t)sense) && append(own, ~(int32_t)sense) &&
                keep(steps, F64(g, KEPT), (int32_t)U32(g, SENSE_SYNSET)[sense], 0, weight);
        const uint32_t *start = U32(g, SENSE_EDGE_START);
        for (uint32_t e = start[sense]; succeeded && e < start[sense + 1]; e++) {
            int32_t target = (int32_t)U32(g, SENSE_EDGE_TARGET)[e];
            succeeded = append(linked, ~target) &&
                    append(linked, (int32_t)U32(g, SENSE_SYNSET)[target]);
        }
    }
    Py_ssize_t synsets = steps->count;
    /* A copy: above a frequent sense of the same word, a synset's own weight is replaced. */
    double *synset_weights = weights + senses->count;
    for (Py_ssize_t k = 0; succeeded && k < synsets; k++)
        synset_weights[k] = steps->step[k].weight;
    for (Py_ssize_t k = 0; succeeded && k < synsets; k++) {
        int32_t synset = steps->step[k].synset;
        succeeded = append(own, synset) && append_links(g, (uint32_t)synset, linked) &&
                climb(g, synset, synset_weights[k], steps, seen);
    }
    if (succeeded) {
        sort_unique(own);
        sort_unique(linked);
        succeeded = fill(profile, steps, synsets, senses, weights, synset_weights, own, linked);
    }
    for (int k = 0; k < 4; k++)
        end_list(&lists[k]);
    end_steps(steps);
    free(lists);
    free(steps);
    free(weights);
    return succeeded;
}

static PyObject *
graph_profile(PyObject *self, PyObject *args)
{
    PyObject *lemmas, *commonness;
    if (!PyArg_ParseTuple(args, "OO!", &lemmas, &PyDict_Type, &commonness))
        return NULL;
    Profile *profile = (Profile *)profile_type->tp_alloc(profile_type, 0);
    if (profile == NULL)
        return NULL;
    profile->graph = (Graph *)Py_NewRef(self);
    profile->lemmas = Py_NewRef(lemmas);
    if (!follow(profile, commonness)) {
        Py_DECREF(profile);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    return (PyObject *)profile;
}

static void
graph_dealloc(Graph *self)
{
    PyTypeObject *type = Py_TYPE(self);
    while (self->held > 0)
        PyBuffer_Release(&self->column[--self->held]);
    type->tp_free(self);
    Py_DECREF(type);
}

/* Whether the columns have the lengths that a table's have; `read_table` has checked that what they
   contain points inside the table. */
static int
has_fitting_columns(const Graph *g)
{
    Py_ssize_t items[COLUMNS];
    for (int k = 0; k < COLUMNS; k++)
        items[k] = g->column[k].len / ITEM[k];
    Py_ssize_t synsets = items[SYNSET_FILE], senses = items[SENSE_SYNSET];
    if (items[EDGE_START] != synsets + 1 || items[SENSE_EDGE_START] != senses + 1)
        return 0;
    Py_ssize_t edges = U32(g, EDGE_START)[synsets];
    return items[BREADTH] == synsets && items[EDGE_KIND] == edges &&
           items[EDGE_TARGET] == edges &&
           items[SENSE_EDGE_TARGET] == (Py_ssize_t)U32(g, SENSE_EDGE_START)[senses] &&
           items[BROADEST] == items[IS_VERB] && items[LOG_SIZE] == items[IS_VERB] &&
           items[KEPT] >= 2 * MAX_CLIMB && items[BASE] == KINDS;
}

/* Arguments: the columns, in the order above. */
static PyObject *
graph_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    if (!no_keywords(kwargs))
        return NULL;
    if (PyTuple_GET_SIZE(args) != COLUMNS) {
        PyErr_Format(PyExc_TypeError, "expected %d columns", COLUMNS);
        return NULL;
    }
    Graph *self = (Graph *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    for (; self->held < COLUMNS; self->held++) {
        PyObject *column = PyTuple_GET_ITEM(args, self->held);
        if (!array_of(column, &self->column[self->held], ITEM[self->held], PyBUF_SIMPLE)) {
            Py_DECREF(self);
            return NULL;
        }
    }
    if (!has_fitting_columns(self)) {
        PyErr_SetString(PyExc_ValueError, "columns of different tables");
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static PyMethodDef graph_methods[] = {
    {"profile", graph_profile, METH_VARARGS, "Return the profile of a word."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot graph_slots[] = {
    {Py_tp_new, graph_new},
    {Py_tp_dealloc, graph_dealloc},
    {Py_tp_methods, graph_methods},
    {0, NULL},
};
static PyType_Spec graph_spec = {
    "ists._kernels.Graph", sizeof(Graph), 0, Py_TPFLAGS_DEFAULT, graph_slots,
};

/* ---- two profiles ---- */

static void
profile_dealloc(Profile *self)
{
    PyTypeObject *type = Py_TYPE(self);
    free(self->memory);
    Py_XDECREF(self->graph);
    Py_XDECREF(self->lemmas);
    type->tp_free(self);
    Py_DECREF(type);
}

static int
meets(const int32_t *a, Py_ssize_t as, const int32_t *b, Py_ssize_t bs)
{
    Py_ssize_t i = 0, j = 0;
    while (i < as && j < bs) {
        if (a[i] == b[j])
            return 1;
        if (a[i] < b[j])
            i++;
        else
            j++;
    }
    return 0;
}

/* Whether the two have a sufficiently specific common ancestor. */
static int
shares_ancestor(const Profile *a, const Profile *b)
{
    int32_t i = 0, j = 0;
    while (i < a->above && j < b->above) {
        const Step *x = &a->step[a->sorted[i]], *y = &b->step[b->sorted[j]];
        if (x->synset == y->synset) {
            if (x->informative || y->informative)
                return 1;
            i++;
            j++;
        }
        else if (x->synset < y->synset)
            i++;
        else
            j++;
    }
    return 0;
}

static const Step *
step_to(const Profile *profile, int32_t synset)
{
    int32_t low = 0, high = profile->above;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (profile->step[profile->sorted[middle]].synset < synset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == profile->above || profile->step[profile->sorted[low]].synset != synset)
        return NULL;
    return &profile->step[profile->sorted[low]];
}

/* The synsets above both as Python's `one.keys() & other.keys()`, whose order decides which of two
   equally strong relations is found first. */
static PyObject *
shared_synsets(const Profile *one, const Profile *other)
{
    const Profile *fewer = other->above > one->above ? one : other;
    const Profile *more = fewer == one ? other : one;
    PyObject *shared = PySet_New(NULL);
    for (int32_t k = 0; shared != NULL && k < fewer->above; k++) {
        if (step_to(more, fewer->step[k].synset) == NULL)
            continue;
        PyObject *synset = PyLong_FromLong(fewer->step[k].synset);
        if (synset == NULL || PySet_Add(shared, synset) < 0)
            Py_CLEAR(shared);
        Py_XDECREF(synset);
    }
    return shared;
}

typedef struct {
    int order[KINDS], count; /* the kinds found, in this order */
    int distance[KINDS];
    double strength[KINDS];
} Found;

static void
add_relation(const Graph *g, Found *found, int kind, int distance, double weight, int free_edges)
{
    int edges = distance > free_edges ? distance - free_edges : 0;
    double strength = F64(g, BASE)[kind] * weight * F64(g, KEPT)[edges];
    int is_new = found->distance[kind] < 0;
    if (is_new)
        found->order[found->count++] = kind;
    if (is_new || strength > found->strength[kind]) {
        found->distance[kind] = distance;
        found->strength[kind] = strength;
    }
}

static void
add_step(const Graph *g, Found *found, const Step *up, const Step *down)
{
    double weight = up->weight * down->weight;
    int distance = up->distance + down->distance;
    if (up->distance == 0 || down->distance == 0) {
        int kind = distance == 0 ? SYNONYM : up->distance ? HYPONYM : HYPERNYM_OF;
        if (distance <= MAX_HYPERNYM_DISTANCE)
            add_relation(g, found, kind, distance, weight, 1);
        return;
    }
    double specific = information(g, up->synset);
    if (specific >= MIN_INFORMATION) {
        int kind = up->distance == 1 && down->distance == 1 ? COHYPONYM : NEAR;
        /* Cohyponyms under "person" are less related than those under "bicycle". */
        add_relation(g, found, kind, distance, weight * specific, 2);
    }
}

/* Drop loose relations that are weaker than a tighter one: synonyms share their hypernym. */
static void
drop_redundant(Found *found)
{
    double strongest = 0.0;
    for (int kind = 0; kind < KINDS; kind++) {
        if (found->distance[kind] < 0)
            continue;
        if (kind >= COHYPONYM && found->strength[kind] <= strongest)
            found->distance[kind] = -1;
        if (found->strength[kind] > strongest)
            strongest = found->strength[kind];
    }
}

static PyObject *
relations_by_ancestors(const Profile *one, const Profile *other)
{
    Found found = {.count = 0};
    for (int kind = 0; kind < KINDS; kind++)
        found.distance[kind] = -1;
    PyObject *shared = shared_synsets(one, other);
    PyObject *each = shared == NULL ? NULL : PyObject_GetIter(shared);
    PyObject *key;
    while (each != NULL && (key = PyIter_Next(each)) != NULL) {
        int32_t synset = (int32_t)PyLong_AsLong(key);
        Py_DECREF(key);
        add_step(one->graph, &found, step_to(one, synset), step_to(other, synset));
    }
    Py_XDECREF(shared);
    Py_XDECREF(each);
    if (PyErr_Occurred())
        return NULL;
    drop_redundant(&found);
    PyObject *relations = PyList_New(0);
    for (int k = 0; relations != NULL && k < found.count; k++) {
        int kind = found.order[k];
        if (found.distance[kind] < 0)
            continue;
        PyObject *relation =
            Py_BuildValue("(iid)", kind, found.distance[kind], found.strength[kind]);
        if (relation == NULL || PyList_Append(relations, relation) < 0)
            Py_CLEAR(relations);
        Py_XDECREF(relation);
    }
    return relations;
}

int
is_profile(PyObject *other)
{
    if (Py_IS_TYPE(other, profile_type))
        return 1;
    PyErr_SetString(PyExc_TypeError, "expected a profile");
    return 0;
}

int
are_related(PyObject *a, PyObject *b)
{
    const Profile *one = (Profile *)a, *other = (Profile *)b;
    return shares_ancestor(one, other) ||
           meets(one->linked_set, one->linked, other->own_set, other->own) ||
           meets(other->linked_set, other->linked, one->own_set, one->own);
}

/* None if the two are unrelated. */
static PyObject *
profile_relate(PyObject *self, PyObject *with)
{
    if (!is_profile(with))
        return NULL;
    const Profile *one = (Profile *)self, *other = (Profile *)with;
    int by_ancestors = shares_ancestor(one, other);
    int there = meets(one->linked_set, one->linked, other->own_set, other->own);
    int back = meets(other->linked_set, other->linked, one->own_set, one->own);
    if (!by_ancestors && !there && !back)
        Py_RETURN_NONE;
    PyObject *relations = by_ancestors ? relations_by_ancestors(one, other) : PyList_New(0);
    if (relations == NULL)
        return NULL;
    return Py_BuildValue("(NOO)", relations, there ? Py_True : Py_False,
                         back ? Py_True : Py_False);
}

/* The information content of the most specific common hypernym. */
double
shared_information(PyObject *one, PyObject *other)
{
    const Profile *a = (Profile *)one, *b = (Profile *)other;
    double most = 0.0;
    int32_t i = 0, j = 0;
    int any = 0;
    while (i < a->above && j < b->above) {
        int32_t x = a->step[a->sorted[i]].synset, y = b->step[b->sorted[j]].synset;
        if (x == y) {
            double own = information(a->graph, x);
            most = !any || own > most ? own : most;
            any = 1;
        }
        i += x <= y;
        j += y <= x;
    }
    return most;
}

static PyObject *
profile_shared_information(PyObject *self, PyObject *with)
{
    return is_profile(with) ? PyFloat_FromDouble(shared_information(self, with)) : NULL;
}

static PyObject *
paths(const int32_t *targets, Py_ssize_t stride, const double *weights, int32_t count, int distance)
{
    PyObject *found = PyDict_New();
    for (int32_t k = 0; found != NULL && k < count; k++) {
        const int32_t *target = (const int32_t *)((const char *)targets + k * stride);
        PyObject *key = PyLong_FromLong(*target);
        PyObject *path = Py_BuildValue("(id)", distance, weights[k]);
        if (key == NULL || path == NULL || PyDict_SetItem(found, key, path) < 0)
            Py_CLEAR(found);
        Py_XDECREF(key);
        Py_XDECREF(path);
    }
    return found;
}

static PyObject *
profile_senses(PyObject *self, void *closure)
{
    const Profile *own = (Profile *)self;
    return paths(own->sense, sizeof(int32_t), own->sense_weight, own->senses, 1);
}

static PyObject *
profile_synsets(PyObject *self, void *closure)
{
    const Profile *own = (Profile *)self;
    return paths(&own->step->synset, sizeof(Step), own->synset_weight, own->synsets, 0);
}

static PyObject *
profile_lemmas(PyObject *self, void *closure)
{
    return Py_NewRef(((Profile *)self)->lemmas);
}

static PyMethodDef profile_methods[] = {
    {"relate", profile_relate, METH_O, "Return how the word is related to another one."},
    {"shared_information", profile_shared_information, METH_O,
     "Return the information content of the most specific common hypernym."},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef profile_properties[] = {
    {"lemmas", profile_lemmas, NULL, NULL, NULL},
    {"senses", profile_senses, NULL, NULL, NULL},
    {"synsets", profile_synsets, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot profile_slots[] = {
    {Py_tp_dealloc, profile_dealloc},
    {Py_tp_methods, profile_methods},
    {Py_tp_getset, profile_properties},
    {0, NULL},
};
static PyType_Spec profile_spec = {
    "ists._kernels.Profile", sizeof(Profile), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, profile_slots,
};

int
add_wordnet_types(PyObject *module)
{
    PyObject *graph = PyType_FromSpec(&graph_spec);
    if (graph == NULL)
        return -1;
    if (profile_type == NULL)
        profile_type = (PyTypeObject *)PyType_FromSpec(&profile_spec);
    int added = profile_type == NULL ? -1 : PyModule_AddObjectRef(module, "Graph", graph);
    Py_DECREF(graph);
    return added;
}
