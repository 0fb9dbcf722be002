/**
 * Serves background requests with the {@link io.ballast.http.exchange.Exchange} that also serves clients. {@link
 * io.ballast.http.background.exchange.BackgroundExchanges} holds the background requests of one event loop.
 */
@NullMarked
package io.ballast.http.background.exchange;

import org.jspecify.annotations.NullMarked;
