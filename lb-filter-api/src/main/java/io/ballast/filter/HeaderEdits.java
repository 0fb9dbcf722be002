package io.ballast.filter;

import java.util.ArrayList;
import java.util.List;

/**
 * Changes of header lines, which apply in the order in which they were added. Immutable; each method returns a new
 * object.
 *
 * <p>Names are tokens (RFC 9110 section 5.1). Values contain printable characters up to {@code U+00FF}, spaces and tabs.
 * Headers that belong to a connection, describe the length of a message or are controlled by a listener cannot be changed:
 * {@code Host}, {@code Content-Length}, {@code Transfer-Encoding}, {@code Trailer}, {@code Expect}, {@code Connection},
 * {@code Keep-Alive}, {@code Proxy-Connection}, {@code Proxy-Authenticate}, {@code Proxy-Authorization}, {@code TE},
 * {@code Upgrade}, {@code X-Forwarded-For}, {@code X-Forwarded-Proto}, {@code X-Forwarded-Host}, {@code X-Forwarded-Port},
 * {@code Forwarded}, {@code Via} and {@code Date}.
 */
public final class HeaderEdits {

    /** Changes nothing. */
    public static final HeaderEdits NONE = new HeaderEdits(List.of());

    /** The maximum number of changes. */
    public static final int MAX_EDITS = 256;

    /** The maximum length of all names and values in bytes. */
    public static final int MAX_BYTES = 32 * 1024;

    /** The kind of a change. */
    public enum Kind {
        /** Removes all lines with the name, then adds one. */
        SET,
        /** Adds a line. */
        APPEND,
        /** Removes all lines with the name. */
        REMOVE
    }

    /**
     * One change.
     *
     * @param value the value of the new line; empty for {@link Kind#REMOVE}
     */
    public record Edit(Kind kind, String name, String value) {}

    private final List<Edit> edits;

    private HeaderEdits(List<Edit> edits) {
        this.edits = edits;
    }

    /**
     * Removes all lines with this name, then adds one. In requests, a name that differs only in {@code _} and {@code -} is
     * removed too, because many backends treat both as the same.
     *
     * @throws IllegalArgumentException if the name or the value is invalid, or the limits are exceeded
     */
    public HeaderEdits set(String name, String value) {
        return with(new Edit(Kind.SET, HeaderSyntax.name(name), HeaderSyntax.value(value)));
    }

    /**
     * Adds a line, and keeps lines with the same name.
     *
     * @throws IllegalArgumentException if the name or the value is invalid, or the limits are exceeded
     */
    public HeaderEdits append(String name, String value) {
        return with(new Edit(Kind.APPEND, HeaderSyntax.name(name), HeaderSyntax.value(value)));
    }

    /**
     * Removes all lines with this name; in requests also names that differ only in {@code _} and {@code -}.
     *
     * @throws IllegalArgumentException if the name is invalid, or the limits are exceeded
     */
    public HeaderEdits remove(String name) {
        return with(new Edit(Kind.REMOVE, HeaderSyntax.name(name), ""));
    }

    private HeaderEdits with(Edit edit) {
        List<Edit> all = new ArrayList<>(edits);
        all.add(edit);
        int bytes = all.stream()
                .mapToInt(each -> each.name().length() + each.value().length())
                .sum();
        if (all.size() > MAX_EDITS || bytes > MAX_BYTES) {
            throw new IllegalArgumentException("edits: " + all.size() + " with " + bytes + " bytes (expected: at most "
                    + MAX_EDITS + " with " + MAX_BYTES + " bytes)");
        }
        return new HeaderEdits(List.copyOf(all));
    }

    /** The changes in their order. */
    public List<Edit> edits() {
        return edits;
    }

    /** Whether nothing is changed. */
    public boolean isEmpty() {
        return edits.isEmpty();
    }
}
