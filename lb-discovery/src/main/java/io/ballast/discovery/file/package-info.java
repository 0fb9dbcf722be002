/** Backends that a file lists, or the files of a directory. */
@NullMarked
package io.ballast.discovery.file;

import org.jspecify.annotations.NullMarked;
