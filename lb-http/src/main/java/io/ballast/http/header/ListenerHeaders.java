package io.ballast.http.header;

import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.RequestIdConfig;
import io.ballast.http.config.RequestIdConfig.Trust;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a listener says about headers before any route is known.
 *
 * <p>Thread safety: immutable but for the number of exchanges, which all event loops draw from; it costs nothing unless
 * a rule asks for it.
 */
public final class ListenerHeaders {

    private final HeadEdits edits;
    private final String idHeader;
    private final byte[] idHeaderOctets;
    private final Trust idTrust;
    private final AtomicLong exchanges;

    public ListenerHeaders(ListenerConfig config) {
        this(config, new AtomicLong());
    }

    private ListenerHeaders(ListenerConfig config, AtomicLong exchanges) {
        this.exchanges = exchanges;
        this.edits = HeadEdits.of(config);
        this.idHeader = config.requestId().map(RequestIdConfig::header).orElse(RequestIdConfig.DEFAULT_HEADER);
        this.idHeaderOctets = idHeader.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
        this.idTrust = config.requestId().map(RequestIdConfig::trust).orElse(Trust.NEVER);
    }

    /** What the same listener says by another configuration; numbers go on. */
    public ListenerHeaders with(ListenerConfig config) {
        return new ListenerHeaders(config, exchanges);
    }

    /** What is done to heads of exchanges that no route takes. */
    public HeadEdits edits() {
        return edits;
    }

    /** Name of the header that carries the id of a request. */
    public String idHeader() {
        return idHeader;
    }

    /** The same in lower case. Not to be written to. */
    public byte[] idHeaderOctets() {
        return idHeaderOctets;
    }

    /** Whose ids are taken over. */
    public Trust idTrust() {
        return idTrust;
    }

    /** Draws the next number, from 1 on. */
    public long nextNumber() {
        return exchanges.incrementAndGet();
    }
}
