/**
 * The client side of an exchange, shared by HTTP/1 and HTTP/2. It stores the request ({@link
 * io.ballast.http.serving.RequestState}) and its header changes ({@link io.ballast.http.serving.HeaderContext}). It
 * writes the head for backends ({@link io.ballast.http.serving.RequestComposer}) and local responses ({@link
 * io.ballast.http.serving.LocalResponses}), and counts and logs ({@link io.ballast.http.serving.ExchangeRecorder}).
 *
 * <p>All classes of this package are confined to one event loop.
 */
@NullMarked
package io.ballast.http.serving;

import org.jspecify.annotations.NullMarked;
