package io.ballast.core.config;

import java.nio.charset.StandardCharsets;

/**
 * A text with its UTF-8 encoding, which is computed once. Immutable. Two bodies are equal if their texts are
 * equal.
 */
public final class PageBody {

    private final String text;
    private final byte[] bytes;

    public PageBody(String text) {
        this.text = text;
        this.bytes = text.getBytes(StandardCharsets.UTF_8);
    }

    public String text() {
        return text;
    }

    /** Returns the encoded text. Callers must not modify it. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PageBody body && text.equals(body.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
