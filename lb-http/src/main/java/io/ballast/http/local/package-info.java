/**
 * Responses that the process makes itself and sends like those of a backend, with flow control: a {@link
 * ResponseSource} produces a response and a {@link ResponseSink} takes it. Routes create sources with a {@link
 * ResponseSourceFactory}, policies with the decision {@code LocalResponse}. The package {@code exchange} connects both
 * ends, in the same way for all versions of HTTP.
 */
@NullMarked
package io.ballast.http.local;

import org.jspecify.annotations.NullMarked;
