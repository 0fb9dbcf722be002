package io.ballast.http.forwarding;

import io.ballast.http.head.FieldScanner;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the address from an entry of {@code X-Forwarded-For}, or from a node of {@code Forwarded} (RFC 7239 section
 * 6), with or without quotes, brackets and port. Event-loop confined; allocates nothing.
 */
final class ForwardedNodeParser {

    /** The maximum length of an address in text form. */
    static final int MAX_CHARACTERS = 45;

    private final AddressReader reader = new AddressReader();
    private int start;
    private int end;

    /**
     * The address, 4 or 16 bytes that are valid until the next entry; null if the entry is not an address, such as
     * {@code unknown}.
     */
    byte @Nullable [] read(byte[] bytes, int from, int to) {
        start = from;
        end = to;
        trim(bytes);
        if (end - start > 1 && bytes[start] == '"' && bytes[end - 1] == '"') {
            start++;
            end--;
        }
        if (start < end && bytes[start] == '[') {
            int bracket = indexOf(bytes, ']', start, end);
            start = bracket == end ? end : start + 1; // no closing bracket: not an address
            end = bracket;
        } else {
            int colon = indexOf(bytes, ':', start, end);
            // If there is only one colon, a port follows it.
            end = indexOf(bytes, ':', Math.min(colon + 1, end), end) == end ? colon : end;
        }
        return end - start > MAX_CHARACTERS ? null : reader.read(bytes, start, end);
    }

    /** The start of the address in the text. */
    int start() {
        return start;
    }

    int end() {
        return end;
    }

    private void trim(byte[] bytes) {
        while (start < end && FieldScanner.isBlank(bytes[start])) {
            start++;
        }
        while (end > start && FieldScanner.isBlank(bytes[end - 1])) {
            end--;
        }
    }

    private static int indexOf(byte[] bytes, char wanted, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return to;
    }
}
