package io.ballast.dns.answer;

import io.ballast.core.Checks;
import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's answers to identity queries in class CH (<a
 * href="https://datatracker.ietf.org/doc/html/rfc4892">RFC 4892</a>): {@code id.server}, {@code
 * hostname.bind}, {@code version.bind} and {@code version.server}.
 *
 * <p>Thread safety: immutable. Cost: allocates nothing.
 */
public final class ServerIdentity {

    /** An identity without texts: no identity query gets an answer. */
    public static final ServerIdentity NONE = new ServerIdentity("", "");

    private static final int LONGEST_TEXT = 255;

    private final List<IdentityAnswer> all = new ArrayList<>();

    @SuppressWarnings("ArrayRecordComponent") // records are never compared; queries read the arrays
    private record IdentityAnswer(byte[] name, byte[] record) {}

    /**
     * @param id identity of this server, at most 255 bytes in UTF-8; empty to leave such queries unanswered
     * @param version software version, at most 255 bytes in UTF-8; empty to leave such queries unanswered
     */
    public ServerIdentity(String id, String version) {
        addAnswer(id, "id", "server");
        addAnswer(id, "hostname", "bind");
        addAnswer(version, "version", "bind");
        addAnswer(version, "version", "server");
    }

    private void addAnswer(String text, String first, String second) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Checks.that(bytes.length <= LONGEST_TEXT, second, text, "at most " + LONGEST_TEXT + " bytes");
        if (bytes.length > 0) {
            all.add(new IdentityAnswer(name(first, second), record(bytes)));
        }
    }

    private static byte[] name(String first, String second) {
        String wire = (char) first.length() + first + (char) second.length() + second + (char) 0;
        return wire.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] record(byte[] text) {
        int fixed = Answer.FIXED_BYTES;
        byte[] record = new byte[fixed + 1 + text.length];
        Wire.putRecord(record, 0, Wire.QUESTION_NAME, RecordType.TXT, /* ttlSeconds= */ 0, 1 + text.length);
        Wire.putU16(record, 4, Wire.CLASS_CH);
        record[fixed] = (byte) text.length;
        System.arraycopy(text, 0, record, fixed + 1, text.length);
        return record;
    }

    /** Returns the TXT record of a name; null if queries for this name are not answered. */
    @SuppressWarnings("ForLoopReplaceableByForEach") // avoids an iterator for each query
    byte @Nullable [] record(QueryName name) {
        for (int i = 0; i < all.size(); i++) {
            IdentityAnswer answer = all.get(i);
            if (name.suffixEquals(0, answer.name())) {
                return answer.record();
            }
        }
        return null;
    }
}
