package io.ballast.policy.compress;

import io.ballast.core.stats.LabelledCounter;

/** The outcome of a compression policy for a response. */
enum CompressionOutcome implements LabelledCounter {
    COMPRESSED("compressed"),
    /** The client does not accept an offered coding, prefers an uncompressed response, or uses HTTP/1.0. */
    NOT_ACCEPTED("skipped_not_accepted"),
    /** The media type is not listed, or there is none. */
    TYPE("skipped_type"),
    SIZE("skipped_size"),
    /** The backend has encoded the body. */
    ENCODED("skipped_encoded"),
    /** The backend forbids changes with {@code Cache-Control: no-transform}. */
    NO_TRANSFORM("skipped_no_transform"),
    /** The response contains only a part of the representation. */
    PARTIAL("skipped_partial"),
    BODILESS("skipped_no_body"),
    /** Too many responses are being compressed. */
    BUSY("skipped_busy");

    private final String label;

    CompressionOutcome(String label) {
        this.label = label;
    }

    @Override
    public String label() {
        return label;
    }
}
