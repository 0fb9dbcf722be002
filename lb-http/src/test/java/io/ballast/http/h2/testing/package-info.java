/** A client of HTTP/2 that sends what it is told, frame for frame, for tests. */
@NullMarked
package io.ballast.http.h2.testing;

import org.jspecify.annotations.NullMarked;
