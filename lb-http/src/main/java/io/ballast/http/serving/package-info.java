/**
 * What the client side of every version of HTTP does for an exchange: remembers the request ({@link
 * io.ballast.http.serving.RequestState}), knows what is changed for it ({@link io.ballast.http.serving.ExchangeEdits}), writes
 * the head that backends get ({@link io.ballast.http.serving.RequestHeadWriter}), answers itself ({@link
 * io.ballast.http.serving.LocalResponses}), and counts and logs ({@link io.ballast.http.serving.ExchangeRecorder}).
 *
 * <p>Everything here is confined to one event loop.
 */
@NullMarked
package io.ballast.http.serving;

import org.jspecify.annotations.NullMarked;
