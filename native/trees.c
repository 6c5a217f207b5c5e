/* Decision trees: the traversal and the sums of `ists/labeler/trees.py`. */

#include "kernels.h"

/* As `_NODE` there. A leaf's limit is NaN and its `further` 65,535, so that its next node is the
   leaf itself. */
typedef struct {
    int16_t asks;
    uint16_t further;
    float limit;
} Node;

typedef struct {
    Py_buffer nodes, roots, leaf_number, rows, values, sums;
} Buffers;

#define TOGETHER 8 /* rows whose steps overlap: each waits for its own next node */
#define BLOCK 128  /* rows that stay in the cache while all trees are traversed */

static void
find_leaves(const Node *nodes, uint32_t root, const float *rows, Py_ssize_t width, int count,
            uint32_t *found)
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
        found[k] = node[k];
}

static void
sum_shares(const Buffers *b, Py_ssize_t trees, Py_ssize_t rows, Py_ssize_t width,
           Py_ssize_t classes)
{
    const Node *nodes = b->nodes.buf;
    const int32_t *roots = b->roots.buf, *leaf_number = b->leaf_number.buf;
    const float *values = b->values.buf, *table = b->rows.buf;
    float *sums = b->sums.buf;
    for (Py_ssize_t first = 0; first < rows; first += BLOCK) {
        Py_ssize_t end = first + BLOCK < rows ? first + BLOCK : rows;
        for (Py_ssize_t tree = 0; tree < trees; tree++) {
            for (Py_ssize_t row = first; row < end; row += TOGETHER) {
                uint32_t found[TOGETHER];
                int count = (int)(end - row < TOGETHER ? end - row : TOGETHER);
                find_leaves(nodes, (uint32_t)roots[tree], table + row * width, width, count,
                            found);
                for (int k = 0; k < count; k++) {
                    const float *share = values + leaf_number[found[k]] * classes;
                    float *sum = sums + (row + k) * classes;
                    for (Py_ssize_t c = 0; c < classes; c++)
                        sum[c] += share[c];
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
    const int32_t *roots = b->roots.buf, *leaf_number = b->leaf_number.buf;
    const float *values = b->values.buf, *table = b->rows.buf;
    double *sums = b->sums.buf;
    for (Py_ssize_t first = 0; first < rows; first += BLOCK) {
        Py_ssize_t end = first + BLOCK < rows ? first + BLOCK : rows;
        for (Py_ssize_t tree = 0; tree < trees; tree++) {
            for (Py_ssize_t row = first; row < end; row += TOGETHER) {
                uint32_t found[TOGETHER];
                int count = (int)(end - row < TOGETHER ? end - row : TOGETHER);
                find_leaves(nodes, (uint32_t)roots[tree], table + row * width, width, count,
                            found);
                for (int k = 0; k < count; k++)
                    sums[(row + k) * classes + tree % classes] += values[leaf_number[found[k]]];
            }
        }
    }
}

static int
get_buffers(PyObject *const *args, Buffers *b, Py_ssize_t sum_size)
{
    struct {
        Py_buffer *view;
        Py_ssize_t item;
        int flags;
    } wanted[] = {
        {&b->nodes, sizeof(Node), PyBUF_SIMPLE},     {&b->roots, 4, PyBUF_SIMPLE},
        {&b->leaf_number, 4, PyBUF_SIMPLE},          {&b->rows, 4, PyBUF_SIMPLE},
        {&b->values, 4, PyBUF_SIMPLE},               {&b->sums, sum_size, PyBUF_WRITABLE},
    };
    for (int k = 0; k < 6; k++) {
        if (!array_of(args[k], wanted[k].view, wanted[k].item, wanted[k].flags)) {
            while (k-- > 0)
                PyBuffer_Release(wanted[k].view);
            return 0;
        }
    }
    return 1;
}

static void
release_buffers(Buffers *b)
{
    PyBuffer_Release(&b->nodes);
    PyBuffer_Release(&b->roots);
    PyBuffer_Release(&b->leaf_number);
    PyBuffer_Release(&b->rows);
    PyBuffer_Release(&b->values);
    PyBuffer_Release(&b->sums);
}

typedef void Summing(const Buffers *, Py_ssize_t, Py_ssize_t, Py_ssize_t, Py_ssize_t);

/* Arguments: nodes, roots, leaf numbers, rows, values of the leaves, sums, classes. */
static PyObject *
add(PyObject *const *args, Py_ssize_t nargs, Summing *summing, Py_ssize_t sum_size)
{
    Buffers b;
    if (nargs != 7) {
        PyErr_SetString(PyExc_TypeError, "expected seven arguments");
        return NULL;
    }
    Py_ssize_t classes = PyLong_AsSsize_t(args[6]);
    if (classes == -1 && PyErr_Occurred())
        return NULL;
    if (!get_buffers(args, &b, sum_size))
        return NULL;
    Py_ssize_t rows = classes > 0 ? b.sums.len / sum_size / classes : 0;
    if (rows > 0) {
        Py_BEGIN_ALLOW_THREADS
        summing(&b, b.roots.len / 4, rows, b.rows.len / 4 / rows, classes);
        Py_END_ALLOW_THREADS
    }
    release_buffers(&b);
    Py_RETURN_NONE;
}

static PyObject *
add_shares(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    return add(args, nargs, sum_shares, sizeof(float));
}

static PyObject *
add_logits(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    return add(args, nargs, sum_logits, sizeof(double));
}

PyMethodDef tree_functions[] = {
    {"add_shares", (PyCFunction)(void (*)(void))add_shares, METH_FASTCALL,
     "Add the distributions of the leaves that each row reaches, tree by tree."},
    {"add_logits", (PyCFunction)(void (*)(void))add_logits, METH_FASTCALL,
     "Add the value of each leaf that a row reaches to the logit of the tree's class."},
    {NULL, NULL, 0, NULL},
};
