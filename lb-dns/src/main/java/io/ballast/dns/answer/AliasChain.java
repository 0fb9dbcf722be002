package io.ballast.dns.answer;

import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A chain of aliases from the query name to a name outside the zones. It consists of the first records of the response
 * and the final target. The records come from a zone, from a rewrite rule, or both.
 *
 * <p>Thread safety: confined to one thread; a {@link #copy} may be passed to another. Cost: allocates only when a chain
 * needs a larger buffer.
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

    /** @param target object into which the final target name is written */
    public AliasChain(QueryName target) {
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

    /** Returns a copy for another thread, without the hashed target name. */
    public AliasChain copy() {
        return new AliasChain(this);
    }

    /**
     * Starts an empty chain, whose target is the query name.
     *
     * @param end offset of the end of the question in every response to the query
     */
    public void begin(QueryName queryName, int end) {
        questionEnd = end;
        bytes = 0;
        answers = 0;
        targetAt = Wire.HEADER_BYTES;
        targetBytes = queryName.length();
        flags = 0;
        scope = 0;
        forged = false;
    }

    /**
     * Starts a chain with the records that a zone has written after the question.
     *
     * @param response the response; its last record, which ends at {@code end}, is the CNAME record with a target
     *     outside the zones
     * @param count number of records
     * @param leadsTo target of that CNAME record
     * @param at offset of the target in the response
     * @param headerFlags flags of the response
     * @param subnetScope ECS scope of the records
     * @return whether the target is uncompressed; a compressed target ends with the zone's name and so lies in
     *     the zone
     */
    public boolean begin(
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
        boolean isComplete = Wire.u16(response, at - 2) == targetBytes;
        if (isComplete) {
            lookUp(response, at);
        }
        return isComplete;
    }

    /**
     * Appends a synthesized CNAME record.
     *
     * @param name target in lower case and wire format
     */
    public void alias(byte[] name, int ttlSeconds) {
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

    private void lookUp(byte[] bytes, int at) {
        QueryName name = target();
        name.read(bytes, at, at + targetBytes);
        name.hash();
    }

    private void ensure(int capacity) {
        if (records.length < capacity) {
            records = Arrays.copyOf(records, 2 * capacity);
        }
    }

    /**
     * Returns the final target of the chain, with its hash computed.
     *
     * @throws IllegalStateException if this is a copy, which has no target
     */
    public QueryName target() {
        if (target == null) {
            throw new IllegalStateException("a copy of an alias chain has no target");
        }
        return target;
    }

    /** Writes the records after the question, and returns the offset of their end. */
    public int write(byte[] out) {
        System.arraycopy(records, 0, out, questionEnd, bytes);
        return questionEnd + bytes;
    }

    /** Returns the offset of the end of the records that {@link #write} writes. */
    public int end() {
        return questionEnd + bytes;
    }

    /** The number of records. */
    public int answers() {
        return answers;
    }

    /** A compression pointer to the final target. */
    public int owner() {
        return Wire.POINTER << 8 | targetAt;
    }

    /** The offset of the uncompressed final target in the response. */
    public int targetAt() {
        return targetAt;
    }

    /** The length of the final target in bytes. */
    public int targetBytes() {
        return targetBytes;
    }

    /** The header flags of a response that contains this chain. */
    public int flags() {
        return flags;
    }

    /** Returns whether the first records of the chain come from a zone. */
    public boolean startsInZone() {
        return (flags & Response.AUTHORITATIVE) != 0;
    }

    /** The ECS scope of the records: the number of leading bits of the client's network that they depend on. */
    public int scope() {
        return scope;
    }

    /** Whether a record was synthesized by a rewrite rule. */
    public boolean isForged() {
        return forged;
    }
}
