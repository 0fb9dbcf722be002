/** Backends that are listed in a file, or in the files of a directory. */
@NullMarked
package io.ballast.discovery.file;

import org.jspecify.annotations.NullMarked;
