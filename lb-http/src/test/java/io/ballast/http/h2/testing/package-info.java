/** Test client and backend for HTTP/2 that send arbitrary frames. */
@NullMarked
package io.ballast.http.h2.testing;

import org.jspecify.annotations.NullMarked;
