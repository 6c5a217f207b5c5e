/* Exact matrix products with AVX-512: the counterpart of `Linear` in `ists/aligner/exact.py`.

   All factors are integers of so few bits that every product and every sum of products is exact in
   64-bit floats. So the result is the same in whatever order, and with or without fused
   multiply-add. Half of the processors' BLAS kernels do not use 512 bits; without them, numpy's
   product is used. */

#include "kernels.h"
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_WIDE_PRODUCTS
#include <immintrin.h>
#endif

enum { ROWS = 12, COLUMNS = 16 }; /* of a tile, whose sums are held in registers */

typedef struct {
    const float *rows;  /* (count, terms) */
    const float *panels; /* (columns / COLUMNS, terms, COLUMNS): integers */
    const float *bias;  /* (columns,) */
    float *result;      /* (count, columns) */
    Py_ssize_t count, terms, columns;
    double scale, limit, step;
} Product;

#ifdef HAS_WIDE_PRODUCTS

/* (terms, ROWS): the rows of a tile on the grid, and zeros below the last. */
static void
pack_rows(const Product *p, Py_ssize_t first, double *packed)
{
    Py_ssize_t rows = p->count - first < ROWS ? p->count - first : ROWS;
    memset(packed, 0, (size_t)p->terms * ROWS * sizeof(double));
    for (Py_ssize_t r = 0; r < rows; r++) {
        const float *row = p->rows + (first + r) * p->terms;
        for (Py_ssize_t k = 0; k < p->terms; k++)
            packed[k * ROWS + r] = on_row_grid(row[k], p->scale, p->limit);
    }
}

__attribute__((target("avx512f"))) static void
multiply_tile(const double *packed, const float *panel, Py_ssize_t terms, double *sums)
{
    __m512d left[ROWS], right[ROWS];
    for (int r = 0; r < ROWS; r++)
        left[r] = right[r] = _mm512_setzero_pd();
    for (Py_ssize_t k = 0; k < terms; k++) {
        __m512d one = _mm512_cvtps_pd(_mm256_loadu_ps(panel + k * COLUMNS));
        __m512d two = _mm512_cvtps_pd(_mm256_loadu_ps(panel + k * COLUMNS + 8));
        for (int r = 0; r < ROWS; r++) {
            __m512d value = _mm512_set1_pd(packed[k * ROWS + r]);
            left[r] = _mm512_fmadd_pd(value, one, left[r]);
            right[r] = _mm512_fmadd_pd(value, two, right[r]);
        }
    }
    for (int r = 0; r < ROWS; r++) {
        _mm512_storeu_pd(sums + r * COLUMNS, left[r]);
        _mm512_storeu_pd(sums + r * COLUMNS + 8, right[r]);
    }
}

static void
multiply(const Product *p, double *packed)
{
    double sums[ROWS * COLUMNS];
    for (Py_ssize_t first = 0; first < p->count; first += ROWS) {
        Py_ssize_t rows = p->count - first < ROWS ? p->count - first : ROWS;
        pack_rows(p, first, packed);
        for (Py_ssize_t column = 0; column < p->columns; column += COLUMNS) {
            Py_ssize_t width = p->columns - column < COLUMNS ? p->columns - column : COLUMNS;
            multiply_tile(packed, p->panels + column * p->terms, p->terms, sums);
            for (Py_ssize_t r = 0; r < rows; r++) {
                float *result = p->result + (first + r) * p->columns + column;
                for (Py_ssize_t c = 0; c < width; c++)
                    result[c] = (float)(sums[r * COLUMNS + c] * p->step) + p->bias[column + c];
            }
        }
    }
}

#endif

static PyObject *
has_wide_products(PyObject *module, PyObject *unused)
{
#ifdef HAS_WIDE_PRODUCTS
    return PyBool_FromLong(__builtin_cpu_supports("avx512f"));
#else
    Py_RETURN_FALSE;
#endif
}

/* Arguments: rows, panels, bias, result; terms of a product; scale and limit of the rows, the value
   of one step of the products. */
static PyObject *
multiply_exactly(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    static const Py_ssize_t items[] = {4, 4, 4, 4};
    Py_buffer views[4];
    if (nargs != 8) {
        PyErr_SetString(PyExc_TypeError, "expected eight arguments");
        return NULL;
    }
    Product p = {.terms = PyLong_AsSsize_t(args[4]), .scale = PyFloat_AsDouble(args[5]),
                 .limit = PyFloat_AsDouble(args[6]), .step = PyFloat_AsDouble(args[7])};
    if (PyErr_Occurred() || !arrays_of(args, views, items, 3, 4))
        return NULL;
    p.rows = views[0].buf;
    p.panels = views[1].buf;
    p.bias = views[2].buf;
    p.result = views[3].buf;
    p.columns = views[2].len / 4;
    Py_ssize_t panels = (p.columns + COLUMNS - 1) / COLUMNS;
    int sound = p.terms > 0 && p.terms <= 1 << 10 && views[0].len / 4 % p.terms == 0 &&
                views[1].len / 4 == panels * COLUMNS * p.terms;
    p.count = sound ? views[0].len / 4 / p.terms : 0;
    sound = sound && views[3].len / 4 == p.count * p.columns;
    double *packed = sound ? PyMem_Malloc((size_t)p.terms * ROWS * sizeof(double)) : NULL;
    if (!sound)
        PyErr_SetString(PyExc_ValueError, "arrays of different sizes");
    else if (packed == NULL)
        PyErr_NoMemory();
#ifdef HAS_WIDE_PRODUCTS
    else if (__builtin_cpu_supports("avx512f")) {
        Py_BEGIN_ALLOW_THREADS
        multiply(&p, packed);
        Py_END_ALLOW_THREADS
    }
#endif
    else
        PyErr_SetString(PyExc_NotImplementedError, "this processor has no AVX-512");
    PyMem_Free(packed);
    release_arrays(views, 4);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef product_functions[] = {
    {"has_wide_products", has_wide_products, METH_NOARGS,
     "Return whether the processor can multiply with `multiply_exactly`."},
    {"multiply_exactly", (PyCFunction)(void (*)(void))multiply_exactly, METH_FASTCALL,
     "Multiply rows, rounded to a grid, by a matrix of integers; scale back and add a bias."},
    {NULL, NULL, 0, NULL},
};
