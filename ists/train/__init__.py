"""Training of the shipped models, one package per model: `chunker`, `aligner`, `similarity`.

Each package has the torch network (``network``), the fit of its weights to data (``fit``), the
files of a trained model (``export``) and the training as ``ists train`` runs it (``train``). The
modules of this package are shared by all three. Needs the extra ``train``; never imported at run
time.
"""
