package io.ballast.dns.answer;

import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Aliases that lead from the name of a query to one outside the zones: the records that a response begins with, and the name that is
 * asked for instead. Its records are those of a zone, or made by hand where the name is rewritten, or both.
 *
 * <p>Thread safety: confined to one thread; a {@link #copy} goes to another. Cost: allocates only to grow.
 */
public final class AliasChain {

    private static final int FIRST_CAPACITY = 512;

    private final @Nullable QueryName target;
    private byte[] records;
    private int questionEnd;
    private int bytes;
    private int answers;
    private int targetAt;
    private int targetBytes;
    private int flags;
    private int scope;
    private boolean forged;

    /** @param target takes the name that is asked for */
    AliasChain(QueryName target) {
        this.target = target;
        this.records = new byte[FIRST_CAPACITY];
    }

    private AliasChain(AliasChain from) {
        this.target = null;
        this.records = Arrays.copyOf(from.records, from.bytes);
        this.questionEnd = from.questionEnd;
        this.bytes = from.bytes;
        this.answers = from.answers;
        this.targetAt = from.targetAt;
        this.targetBytes = from.targetBytes;
        this.flags = from.flags;
        this.scope = from.scope;
        this.forged = from.forged;
    }

    /** The same for another thread, which does not need to look up where it leads. */
    AliasChain copy() {
        return new AliasChain(this);
    }

    /**
     * Begins with nothing: the name of the query is the one that is asked for.
     *
     * @param end where the question ends in every response to the query
     */
    void begin(QueryName asked, int end) {
        questionEnd = end;
        bytes = 0;
        answers = 0;
        targetAt = Wire.HEADER_BYTES;
        targetBytes = asked.length();
        flags = 0;
        scope = 0;
        forged = false;
    }

    /**
     * Begins with what a zone has written behind the question.
     *
     * @param response whose records end at {@code end}, with the CNAME record that leads out of the zones
     * @param count of the records
     * @param leadsTo the name that it leads to
     * @param at where that stands in the response
     * @param headerFlags of the response
     * @param subnetScope for which clients the records are the same
     * @return whether the name stands there in full: one that ends with the name of a zone lies in that
     */
    boolean begin(
            int questionEndsAt,
            byte[] response,
            int end,
            int count,
            QueryName leadsTo,
            int at,
            int headerFlags,
            int subnetScope) {
        questionEnd = questionEndsAt;
        bytes = end - questionEnd;
        ensure(bytes);
        System.arraycopy(response, questionEnd, records, 0, bytes);
        answers = count;
        targetAt = at;
        targetBytes = leadsTo.length();
        flags = headerFlags;
        scope = subnetScope;
        forged = false;
        boolean isWhole = Wire.u16(response, at - 2) == targetBytes;
        if (isWhole) {
            lookUp(response, at);
        }
        return isWhole;
    }

    /** Goes on by hand to another name, in lower case and wire format. */
    void alias(byte[] name, int ttlSeconds) {
        ensure(bytes + Answer.FIXED_BYTES + name.length);
        Wire.putRecord(records, bytes, owner(), RecordType.CNAME, ttlSeconds, name.length);
        int data = bytes + Answer.FIXED_BYTES;
        System.arraycopy(name, 0, records, data, name.length);
        bytes = data + name.length;
        answers++;
        targetAt = questionEnd + data;
        targetBytes = name.length;
        forged = true;
        lookUp(name, 0);
    }

    private void lookUp(byte[] octets, int at) {
        QueryName name = target();
        name.read(octets, at, at + targetBytes);
        name.hash();
    }

    private void ensure(int capacity) {
        if (records.length < capacity) {
            records = Arrays.copyOf(records, 2 * capacity);
        }
    }

    /** The name that is asked for, hashed; not of a copy. */
    QueryName target() {
        if (target == null) {
            throw new IllegalStateException("the copy of a chain");
        }
        return target;
    }

    /** Writes the records to where the question ends, and returns where they end. */
    int write(byte[] out) {
        System.arraycopy(records, 0, out, questionEnd, bytes);
        return questionEnd + bytes;
    }

    /** Where {@link #write} ends. */
    int end() {
        return questionEnd + bytes;
    }

    /** How many records there are. */
    int answers() {
        return answers;
    }

    /** A compression pointer to the name that is asked for. */
    int owner() {
        return Wire.POINTER << 8 | targetAt;
    }

    /** Where that name stands in the response, in full. */
    int targetAt() {
        return targetAt;
    }

    /** Its length. */
    int targetBytes() {
        return targetBytes;
    }

    /** Flags of a response with these records. */
    int flags() {
        return flags;
    }

    /** Whether it begins with what a zone says of the name of the query. */
    boolean isOfZone() {
        return (flags & Response.AUTHORITATIVE) != 0;
    }

    /** For how many leading bits of the client's network the records are the same. */
    int scope() {
        return scope;
    }

    /** Whether one of the records was made by hand. */
    boolean isForged() {
        return forged;
    }
}
