"""Everything that needs torch; never imported at run time (extra ``train``)."""
