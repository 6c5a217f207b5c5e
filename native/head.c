/* The pair head's loops over single numbers, of `ists/aligner/exact.py` and `pair_head.py`. Matrix
   products and exponentials are left to numpy. */

#include "kernels.h"

static PyObject *
finish(Py_buffer *views, int count, int sound)
{
    release_arrays(views, count);
    if (!sound) {
        PyErr_SetString(PyExc_ValueError, "arrays of different sizes");
        return NULL;
    }
    Py_RETURN_NONE;
}

static int
has_count(Py_ssize_t nargs, Py_ssize_t expected)
{
    if (nargs != expected)
        PyErr_Format(PyExc_TypeError, "expected %zd arguments", expected);
    return nargs == expected;
}

/* Arguments: rows, scale, limit, result. */
static PyObject *
on_grid(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    if (!has_count(nargs, 4))
        return NULL;
    double scale = PyFloat_AsDouble(args[1]), limit = PyFloat_AsDouble(args[2]);
    if (PyErr_Occurred())
        return NULL;
    Py_buffer views[2];
    PyObject *arrays[] = {args[0], args[3]};
    if (!arrays_of(arrays, views, (const Py_ssize_t[]){4, 8}, 1, 2))
        return NULL;
    Py_ssize_t count = views[0].len / 4;
    const float *rows = views[0].buf;
    double *whole = views[1].buf;
    int sound = views[1].len / 8 == count;
    for (Py_ssize_t k = 0; sound && k < count; k++)
        whole[k] = on_row_grid(rows[k], scale, limit);
    return finish(views, 2, sound);
}

/* Arguments: products of rows on the grid, the value of one step, bias, result. */
static PyObject *
off_grid(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    if (!has_count(nargs, 4))
        return NULL;
    double step = PyFloat_AsDouble(args[1]);
    if (PyErr_Occurred())
        return NULL;
    Py_buffer views[3];
    PyObject *arrays[] = {args[0], args[2], args[3]};
    if (!arrays_of(arrays, views, (const Py_ssize_t[]){8, 4, 4}, 2, 3))
        return NULL;
    Py_ssize_t count = views[0].len / 8, width = views[1].len / 4;
    const double *products = views[0].buf;
    const float *bias = views[1].buf;
    float *result = views[2].buf;
    int sound = views[2].len / 4 == count && (width ? count % width : count) == 0;
    for (Py_ssize_t at = 0; sound && at < count; at += width)
        for (Py_ssize_t k = 0; k < width; k++)
            result[at + k] = (float)(products[at + k] * step) + bias[k];
    return finish(views, 3, sound);
}

/* Arguments: rows, their lengths, scale, result. */
static PyObject *
unit_grid(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    if (!has_count(nargs, 4))
        return NULL;
    double scale = PyFloat_AsDouble(args[2]);
    if (PyErr_Occurred())
        return NULL;
    Py_buffer views[3];
    PyObject *arrays[] = {args[0], args[1], args[3]};
    if (!arrays_of(arrays, views, (const Py_ssize_t[]){4, 4, 8}, 2, 3))
        return NULL;
    Py_ssize_t count = views[0].len / 4, rows = views[1].len / 4;
    Py_ssize_t width = rows ? count / rows : 0;
    const float *values = views[0].buf, *lengths = views[1].buf;
    double *whole = views[2].buf;
    int sound = rows * width == count && views[2].len / 8 == count;
    for (Py_ssize_t row = 0; sound && row < rows; row++) {
        const float *own = values + row * width;
        double *to = whole + row * width;
        float length = lengths[row];
        for (Py_ssize_t k = 0; k < width; k++)
            to[k] = rounded((double)(own[k] / length) * scale);
    }
    return finish(views, 3, sound);
}

/* The polynomial of `_erf` and the exponent of its last factor. Arguments: x, and both results. */
static PyObject *
begin_gelu(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    Py_buffer views[3];
    if (!has_count(nargs, 3) ||
        !arrays_of(args, views, (const Py_ssize_t[]){4, 4, 4}, 1, 3))
        return NULL;
    const float root_half = (float)0.70710678118654757;
    const float *x = views[0].buf;
    float *poly = views[1].buf, *power = views[2].buf;
    int sound = views[0].len == views[1].len && views[0].len == views[2].len;
    for (Py_ssize_t k = 0; sound && k < views[0].len / 4; k++) {
        float y = x[k] * root_half;
        float t = 1.0f / (fabsf(y) * (float)0.3275911 + 1.0f);
        float p = t * (float)1.061405429;
        p = (p + (float)-1.453152027) * t;
        p = (p + (float)1.421413741) * t;
        p = (p + (float)-0.284496736) * t;
        p = (p + (float)0.254829592) * t;
        poly[k] = p;
        power[k] = -(y * y);
    }
    return finish(views, 3, sound);
}

/* Arguments: x, the power, and the polynomial, which becomes the result. */
static PyObject *
end_gelu(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    Py_buffer views[3];
    if (!has_count(nargs, 3) ||
        !arrays_of(args, views, (const Py_ssize_t[]){4, 4, 4}, 2, 3))
        return NULL;
    const float *x = views[0].buf, *power = views[1].buf;
    float *poly = views[2].buf;
    int sound = views[0].len == views[1].len && views[0].len == views[2].len;
    for (Py_ssize_t k = 0; sound && k < views[0].len / 4; k++) {
        float erf = copysignf(1.0f - poly[k] * power[k], x[k]);
        poly[k] = (erf + 1.0f) * x[k] * 0.5f;
    }
    return finish(views, 3, sound);
}

PyMethodDef head_functions[] = {
    {"on_grid", (PyCFunction)(void (*)(void))on_grid, METH_FASTCALL,
     "Scale, round and clip numbers."},
    {"off_grid", (PyCFunction)(void (*)(void))off_grid, METH_FASTCALL,
     "Scale products back and add a bias."},
    {"unit_grid", (PyCFunction)(void (*)(void))unit_grid, METH_FASTCALL,
     "Divide rows by their lengths, scale and round."},
    {"begin_gelu", (PyCFunction)(void (*)(void))begin_gelu, METH_FASTCALL,
     "Compute what precedes the exponential of GELU."},
    {"end_gelu", (PyCFunction)(void (*)(void))end_gelu, METH_FASTCALL,
     "Compute what follows the exponential of GELU."},
    {NULL, NULL, 0, NULL},
};
