package io.ballast.http.header;

import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.RequestIdConfig;
import io.ballast.http.config.RequestIdConfig.Trust;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The header settings of a listener that do not depend on the route.
 *
 * <p>Thread safety: immutable except for the request counter, which all event loops share. The counter costs nothing
 * unless a rule uses it.
 */
public final class ListenerHeaders {

    private final RouteHeaderEdits edits;
    private final String idHeader;
    private final byte[] idHeaderBytes;
    private final Trust idTrust;
    private final AtomicLong requestCounter;

    public ListenerHeaders(ListenerConfig config) {
        this(config, new AtomicLong());
    }

    private ListenerHeaders(ListenerConfig config, AtomicLong exchanges) {
        this.requestCounter = exchanges;
        this.edits = RouteHeaderEdits.of(config);
        this.idHeader = config.requestId().map(RequestIdConfig::header).orElse(RequestIdConfig.DEFAULT_HEADER);
        this.idHeaderBytes = idHeader.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
        this.idTrust = config.requestId().map(RequestIdConfig::trust).orElse(Trust.NEVER);
    }

    /** Returns the settings for a new configuration of the same listener; the request counter continues. */
    public ListenerHeaders with(ListenerConfig config) {
        return new ListenerHeaders(config, requestCounter);
    }

    /** The edits for requests that match no route. */
    public RouteHeaderEdits edits() {
        return edits;
    }

    /** The name of the request ID header. */
    public String idHeader() {
        return idHeader;
    }

    /** The name of the request ID header in lower case. Must not be modified. */
    public byte[] idHeaderBytes() {
        return idHeaderBytes;
    }

    /** Returns which clients are trusted to supply their own request IDs. */
    public Trust idTrust() {
        return idTrust;
    }

    /** Returns the next request number, starting at 1. */
    public long nextNumber() {
        return requestCounter.incrementAndGet();
    }
}
