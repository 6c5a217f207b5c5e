"""The local web page that makes and corrects gold ``.wa`` files, by the guidelines' procedure."""
