package io.ballast.dns.dnssec.key;

import io.ballast.core.Checks;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The key files of a zone as one value, which the nodes of a cluster exchange. It contains private keys, so it must be
 * encrypted before it leaves this process. Immutable.
 *
 * <p>Bounds: {@value #MAX_FILES} files, and {@value #MAX_CHARS} characters of text.
 *
 * @param files the texts of the files by file name
 */
public record KeyBundle(SortedMap<String, String> files) {

    public static final int MAX_FILES = 64;
    public static final int MAX_CHARS = 20_000;

    /** @throws IllegalArgumentException if there are too many files, or if the files are too large */
    public KeyBundle {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        Checks.that(files.size() <= MAX_FILES, "key files", files.size(), "at most " + MAX_FILES);
        int chars = text(files).length();
        Checks.that(chars <= MAX_CHARS, "characters of all key files", chars, "at most " + MAX_CHARS);
    }

    public boolean isEmpty() {
        return files.isEmpty();
    }

    /**
     * Returns all files as one text: for each file, a line with its name and its length in characters, and the text.
     */
    public String text() {
        return text(files);
    }

    private static String text(SortedMap<String, String> files) {
        StringBuilder all = new StringBuilder();
        files.forEach((name, text) ->
                all.append(name).append(' ').append(text.length()).append('\n').append(text));
        return all.toString();
    }

    /**
     * Parses the result of {@link #text}.
     *
     * @throws IllegalArgumentException if the text has another format; the message contains no part of a key
     */
    public static KeyBundle parse(String text) {
        SortedMap<String, String> files = new TreeMap<>();
        int at = 0;
        while (at < text.length()) {
            int end = text.indexOf('\n', at);
            String[] head = end < 0 ? new String[0] : text.substring(at, end).split(" ", /* limit= */ 2);
            boolean isHead = head.length == 2 && head[1].matches("[0-9]{1,6}");
            int length = isHead ? Integer.parseInt(head[1]) : 0;
            if (!isHead || length > text.length() - end - 1) {
                throw new IllegalArgumentException("key files: malformed at character " + at
                        + " (expected: the name of a file, its length, and as many characters)");
            }
            files.put(head[0], text.substring(end + 1, end + 1 + length));
            at = end + 1 + length;
        }
        return new KeyBundle(files);
    }

    /** Returns the SHA-256 hash of {@link #text} as hexadecimal digits. */
    public String hash() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }

    /** Returns the names of the files, not their texts. */
    @Override
    public String toString() {
        return "KeyBundle" + files.keySet();
    }
}
