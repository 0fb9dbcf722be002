/** A client for tests of HTTP/3. */
@NullMarked
package io.ballast.http.h3.testing;

import org.jspecify.annotations.NullMarked;
