package io.ballast.filter;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A response that a filter sends instead of a backend. Immutable. */
public final class FilterAnswer {

    /** The maximum length of the body in bytes. */
    public static final int MAX_BODY_BYTES = 64 * 1024;

    private static final int MIN_STATUS = 200;
    private static final int MAX_STATUS = 599;

    private final int status;
    private final List<FilterHeader> headers;
    private final String contentType;
    private final byte[] body;

    private FilterAnswer(int status, List<FilterHeader> headers, String contentType, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.contentType = contentType;
        this.body = body;
    }

    /**
     * An answer without a body.
     *
     * @param status from 200 to 599
     * @throws IllegalArgumentException if the status is out of range
     */
    public static FilterAnswer of(int status) {
        if (status < MIN_STATUS || status > MAX_STATUS) {
            throw new IllegalArgumentException("status: " + status + " (expected: 200..599)");
        }
        return new FilterAnswer(status, List.of(), "", new byte[0]);
    }

    /**
     * An answer with a text in UTF-8.
     *
     * @param status from 200 to 599
     * @throws IllegalArgumentException if the status is out of range, or the text is too long
     */
    public static FilterAnswer text(int status, String text) {
        return of(status).withBody("text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns this answer with one more header line.
     *
     * @throws IllegalArgumentException if the header is {@code Content-Type} or one that filters must not change (see
     *     {@link HeaderEdits}), or if the value is invalid
     */
    public FilterAnswer withHeader(String name, String value) {
        if (name.equalsIgnoreCase("content-type")) {
            throw new IllegalArgumentException("header: '" + name + "' (expected: contentType of withBody)");
        }
        List<FilterHeader> all = new ArrayList<>(headers);
        all.add(new FilterHeader(HeaderSyntax.name(name), HeaderSyntax.value(value)));
        int bytes = all.stream()
                .mapToInt(line -> line.name().length() + line.value().length())
                .sum();
        if (all.size() > HeaderEdits.MAX_EDITS || bytes > HeaderEdits.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "headers: " + all.size() + " with " + bytes + " bytes (expected: at most " + HeaderEdits.MAX_EDITS
                            + " with " + HeaderEdits.MAX_BYTES + " bytes)");
        }
        return new FilterAnswer(status, List.copyOf(all), contentType, body);
    }

    /**
     * Returns this answer with another body. The response to a HEAD request contains only the length of the body. An
     * answer with status 204 or 304 is sent without a body.
     *
     * @param mediaType the value of {@code Content-Type}; empty for none
     * @param bytes the body, at most {@value #MAX_BODY_BYTES} bytes; this method makes a copy
     * @throws IllegalArgumentException if the body is too long, or the type is invalid
     */
    public FilterAnswer withBody(String mediaType, byte[] bytes) {
        if (bytes.length > MAX_BODY_BYTES) {
            throw new IllegalArgumentException(
                    "body: " + bytes.length + " bytes (expected: at most " + MAX_BODY_BYTES + ")");
        }
        return new FilterAnswer(status, headers, HeaderSyntax.value(mediaType), bytes.clone());
    }

    /** The status, from 200 to 599. */
    public int status() {
        return status;
    }

    /** The header lines, without {@code Content-Type}. */
    public List<FilterHeader> headers() {
        return headers;
    }

    /** The media type of the body; empty for none. */
    public String contentType() {
        return contentType;
    }

    /** Returns a copy of the body. */
    public byte[] body() {
        return body.clone();
    }
}
