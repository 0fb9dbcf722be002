/**
 * Responses that this process produces itself and sends like responses of a backend, with flow control. A {@link
 * ResponseSource} produces a response, and a {@link ResponseSink} receives it. Routes create sources with a {@link
 * ResponseSourceFactory}, and policies create them with the decision {@code LocalResponse}. The package {@code
 * exchange} connects both ends, in the same way for all versions of HTTP.
 */
@NullMarked
package io.ballast.http.local;

import org.jspecify.annotations.NullMarked;
