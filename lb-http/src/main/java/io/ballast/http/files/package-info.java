/**
 * Static files: the action {@code files} of a route. {@link io.ballast.http.files.FileRoute} creates a source for each
 * response. The source opens and reads its file on a few threads outside the event loops.
 */
@NullMarked
package io.ballast.http.files;

import org.jspecify.annotations.NullMarked;
