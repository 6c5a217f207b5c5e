/* The extension module `ists._kernels`. */

#include "kernels.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

int
array_of(PyObject *source, Py_buffer *view, Py_ssize_t item, int flags)
{
    if (PyObject_GetBuffer(source, view, PyBUF_C_CONTIGUOUS | flags) < 0)
        return 0;
    if (view->itemsize != item) {
        PyErr_Format(PyExc_ValueError, "items of %zd bytes, expected %zd", view->itemsize, item);
        PyBuffer_Release(view);
        return 0;
    }
    return 1;
}

int
no_keywords(PyObject *kwargs)
{
    if (kwargs == NULL || PyDict_GET_SIZE(kwargs) == 0)
        return 1;
    PyErr_SetString(PyExc_TypeError, "no keyword arguments expected");
    return 0;
}

int
arrays_of(PyObject *const *sources, Py_buffer *views, const Py_ssize_t *items, int inputs,
          int count)
{
    for (int k = 0; k < count; k++) {
        int flags = k < inputs ? PyBUF_SIMPLE : PyBUF_WRITABLE;
        if (!array_of(sources[k], &views[k], items[k], flags)) {
            release_arrays(views, k);
            return 0;
        }
    }
    return 1;
}

void
release_arrays(Py_buffer *views, int count)
{
    for (int k = 0; k < count; k++)
        PyBuffer_Release(&views[k]);
}

/* By default, glibc gives every thread a heap of its own, and no other thread gets what is freed
   there. */
static PyObject *
use_one_heap(PyObject *module, PyObject *unused)
{
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, 1);
#endif
    Py_RETURN_NONE;
}

static PyMethodDef own_functions[] = {
    {"use_one_heap", use_one_heap, METH_NOARGS, "Let all threads allocate from the same heap."},
    {NULL, NULL, 0, NULL},
};

static int
add_functions(PyObject *module)
{
    if (PyModule_AddIntConstant(module, "INTERFACE", INTERFACE) < 0)
        return -1;
    PyMethodDef *functions[] = {tree_functions, head_functions, surface_functions, word_functions,
                                record_functions, row_functions, product_functions,
                                block_functions, link_functions, own_functions};
    for (size_t k = 0; k < sizeof(functions) / sizeof(*functions); k++)
        if (PyModule_AddFunctions(module, functions[k]) < 0)
            return -1;
    if (!add_row_names() || add_wordnet_types(module) < 0 || add_key_type(module) < 0)
        return -1;
    return add_chunk_type(module);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, add_functions},
#if PY_VERSION_HEX >= 0x030C0000
    /* The table of records, the types, the names and the pairs of unrelated keys are static. */
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "ists._kernels",
    .m_doc = "The innermost loops, compiled; see `ists.compiled`.",
    .m_slots = slots,
};

PyMODINIT_FUNC
PyInit__kernels(void)
{
    return PyModuleDef_Init(&definition);
}
