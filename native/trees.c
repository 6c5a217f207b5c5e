/* Decision trees: the traversal and the sums of `ists/labeler/trees.py`. */

#include "kernels.h"
#include <string.h>

/* As `_NODE` in `ists/labeler/trees.py`. A leaf's limit is NaN and its `further` 65,535, so that
   its next node is the leaf itself; the last 22 bits of the NaN are the number of the leaf. */
typedef struct {
    int16_t asks;
    uint16_t further;
    float limit;
} Node;

typedef struct {
    Py_buffer nodes, roots, rows, values, sums;
} Buffers;

#define TOGETHER 8 /* rows whose steps overlap: each waits for its own next node */
#define BLOCK 128  /* rows that stay in the cache while all trees are traversed */

/* Build the nodes of stored trees, and check that every index is in range; see `_are_sound`. */
static int
plant_trees(const int16_t *feature, Py_ssize_t nodes, const float *threshold,
            const uint16_t *right, Py_ssize_t inners, const int32_t *sizes, Py_ssize_t trees,
            long features, Node *node)
{
    Py_ssize_t at = 0, inner = 0, leaf = 0;
    for (Py_ssize_t tree = 0; tree < trees; tree++) {
        if (sizes[tree] <= 0 || sizes[tree] > nodes - at)
            return 0;
        Py_ssize_t end = at + sizes[tree];
        for (; at < end; at++) {
            if (feature[at] == -1) {
                uint32_t bits = 0x7FC00000 | (uint32_t)leaf++;
                node[at].asks = 0;
                node[at].further = 0xFFFF;
                memcpy(&node[at].limit, &bits, sizeof(bits));
                continue;
            }
            if (feature[at] < 0 || feature[at] >= features || inner == inners ||
                right[inner] <= 1 || at + right[inner] >= end)
                return 0;
            node[at].asks = feature[at];
            node[at].further = right[inner] - 1;
            node[at].limit = threshold[inner++];
        }
    }
    return trees > 0 && at == nodes && inner == inners && leaf <= 0x3FFFFF;
}

static Py_ssize_t
leaf_number(const Node *leaf)
{
    uint32_t bits;
    memcpy(&bits, &leaf->limit, sizeof(bits));
    return bits & 0x3FFFFF;
}

/* A finite number of 16 bits. */
static float
from_half(uint16_t half)
{
    uint32_t bits = (uint32_t)(half & 0x7FFF) << 13;
    float number;
    memcpy(&number, &bits, sizeof(bits));
    number *= 0x1p112f; /* the exponents' biases differ by 112; exact, also for subnormals */
    return half & 0x8000 ? -number : number;
}

/* Traverse a tree; return the leaf numbers. */
static void
find_leaves(const Node *nodes, uint32_t root, const float *rows, Py_ssize_t width, int count,
            Py_ssize_t *found)
{
    uint32_t node[TOGETHER];
    const float *row[TOGETHER];
    uint16_t moved;
    for (int k = 0; k < TOGETHER; k++) {
        node[k] = root;
        /* In an incomplete group, its first row is traversed again. */
        row[k] = rows + (k < count ? k : 0) * width;
    }
    do {
        moved = 0;
        for (int k = 0; k < TOGETHER; k++) {
            const Node *at = nodes + node[k];
            uint16_t right = (uint16_t) - !(row[k][at->asks] <= at->limit);
            uint16_t step = (uint16_t)((at->further & right) + 1);
            node[k] += step;
            moved |= step;
        }
    } while (moved);
    for (int k = 0; k < TOGETHER; k++)
        found[k] = leaf_number(nodes + node[k]);
}

static void
sum_shares(const Buffers *b, Py_ssize_t trees, Py_ssize_t rows, Py_ssize_t width,
           Py_ssize_t classes)
{
    const Node *nodes = b->nodes.buf;
    const int32_t *roots = b->roots.buf;
    const uint16_t *values = b->values.buf;
    const float *table = b->rows.buf;
    float *sums = b->sums.buf;
    for (Py_ssize_t first = 0; first < rows; first += BLOCK) {
        Py_ssize_t end = first + BLOCK < rows ? first + BLOCK : rows;
        for (Py_ssize_t tree = 0; tree < trees; tree++) {
            for (Py_ssize_t row = first; row < end; row += TOGETHER) {
                Py_ssize_t found[TOGETHER];
                int count = (int)(end - row < TOGETHER ? end - row : TOGETHER);
                find_leaves(nodes, (uint32_t)roots[tree], table + row * width, width, count,
                            found);
                for (int k = 0; k < count; k++) {
                    const uint16_t *share = values + found[k] * classes;
                    float *sum = sums + (row + k) * classes;
                    for (Py_ssize_t c = 0; c < classes; c++)
                        sum[c] += from_half(share[c]);
                }
            }
        }
    }
}

static void
sum_logits(const Buffers *b, Py_ssize_t trees, Py_ssize_t rows, Py_ssize_t width,
           Py_ssize_t classes)
{
    const Node *nodes = b->nodes.buf;
    const int32_t *roots = b->roots.buf;
    const float *values = b->values.buf, *table = b->rows.buf;
    double *sums = b->sums.buf;
    for (Py_ssize_t first = 0; first < rows; first += BLOCK) {
        Py_ssize_t end = first + BLOCK < rows ? first + BLOCK : rows;
        for (Py_ssize_t tree = 0; tree < trees; tree++) {
            for (Py_ssize_t row = first; row < end; row += TOGETHER) {
                Py_ssize_t found[TOGETHER];
                int count = (int)(end - row < TOGETHER ? end - row : TOGETHER);
                find_leaves(nodes, (uint32_t)roots[tree], table + row * width, width, count,
                            found);
                for (int k = 0; k < count; k++)
                    sums[(row + k) * classes + tree % classes] += values[found[k]];
            }
        }
    }
}

typedef void Summing(const Buffers *, Py_ssize_t, Py_ssize_t, Py_ssize_t, Py_ssize_t);

/* Arguments: nodes, roots, rows, values of the leaves, sums, classes. */
static PyObject *
add(PyObject *const *args, Py_ssize_t nargs, Summing *summing, Py_ssize_t value_size,
    Py_ssize_t sum_size)
{
    Py_buffer views[5];
    if (nargs != 6) {
        PyErr_SetString(PyExc_TypeError, "expected six arguments");
        return NULL;
    }
    Py_ssize_t classes = PyLong_AsSsize_t(args[5]);
    if (classes == -1 && PyErr_Occurred())
        return NULL;
    const Py_ssize_t items[] = {sizeof(Node), 4, 4, value_size, sum_size};
    if (!arrays_of(args, views, items, 4, 5))
        return NULL;
    Buffers b = {views[0], views[1], views[2], views[3], views[4]};
    Py_ssize_t rows = classes > 0 ? b.sums.len / sum_size / classes : 0;
    if (rows > 0) {
        Py_BEGIN_ALLOW_THREADS
        summing(&b, b.roots.len / 4, rows, b.rows.len / 4 / rows, classes);
        Py_END_ALLOW_THREADS
    }
    release_arrays(views, 5);
    Py_RETURN_NONE;
}

/* Arguments: feature, threshold, right, sizes, number of features, nodes. */
static PyObject *
plant(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    static const Py_ssize_t items[] = {2, 4, 2, 4, sizeof(Node)};
    Py_buffer views[5];
    if (nargs != 6) {
        PyErr_SetString(PyExc_TypeError, "expected six arguments");
        return NULL;
    }
    long features = PyLong_AsLong(args[4]);
    if (features == -1 && PyErr_Occurred())
        return NULL;
    PyObject *arrays[] = {args[0], args[1], args[2], args[3], args[5]};
    if (!arrays_of(arrays, views, items, 4, 5))
        return NULL;
    Py_ssize_t nodes = views[0].len / 2, inners = views[1].len / 4;
    int sound = views[2].len / 2 == inners && views[4].len / (Py_ssize_t)sizeof(Node) == nodes &&
                plant_trees(views[0].buf, nodes, views[1].buf, views[2].buf, inners, views[3].buf,
                            views[3].len / 4, features, views[4].buf);
    release_arrays(views, 5);
    return PyBool_FromLong(sound);
}

static PyObject *
add_shares(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    return add(args, nargs, sum_shares, sizeof(uint16_t), sizeof(float));
}

static PyObject *
add_logits(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    return add(args, nargs, sum_logits, sizeof(float), sizeof(double));
}

PyMethodDef tree_functions[] = {
    {"plant", (PyCFunction)(void (*)(void))plant, METH_FASTCALL,
     "Build the nodes of stored trees; return whether they are sound."},
    {"add_shares", (PyCFunction)(void (*)(void))add_shares, METH_FASTCALL,
     "Add the distributions of the leaves that each row reaches, tree by tree."},
    {"add_logits", (PyCFunction)(void (*)(void))add_logits, METH_FASTCALL,
     "Add the value of each leaf that a row reaches to the logit of the tree's class."},
    {NULL, NULL, 0, NULL},
};
