/* Never built: only its bytes matter. */
