package io.ballast.dns.forward.upstream;

import io.ballast.dns.forward.question.ClientSubnet;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.CookieOption;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.SubnetOption;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The query for a question in wire format. It has RD set, and an OPT record that contains only the DO bit, the client
 * subnet, a cookie for the resolver, and the client's options that are forwarded. With validation, CD is set, so that
 * the resolver also returns answers that it considers bogus.
 *
 * <p>Not thread-safe: the id is written when the query is sent.
 */
final class QueryMessage {

    /**
     * The maximum size of UDP responses that the query allows. Such a response is not fragmented (DNS flag day
     * 2020).
     */
    static final int PAYLOAD_BYTES = 1232;

    private static final int FLAGS_OFFSET = 2;
    private static final int QUESTION_COUNT_OFFSET = 4;
    private static final int ADDITIONAL_COUNT_OFFSET = 10;
    private static final int TYPE_AND_CLASS_BYTES = 4;
    private static final int OPT_BYTES = 11;
    private static final int DATA_LENGTH_OFFSET = 9;

    private static final int QR = 0x8000;
    private static final int OPCODE = 0x7800;
    private static final int TC = 0x0200;
    private static final int RD = 0x0100;
    private static final int CD = 0x0010;
    private static final int DO = 0x8000;
    private static final int RCODE_MASK = 0x0f;

    /** The bit that distinguishes lower-case from upper-case letters. */
    private static final int CASE_BIT = 0x20;

    private final byte[] bytes;
    private final int questionEnd;
    private final @Nullable ClientSubnet subnet;
    private int scope;

    private QueryMessage(byte[] bytes, int questionEnd, @Nullable ClientSubnet subnet) {
        this.bytes = bytes;
        this.questionEnd = questionEnd;
        this.subnet = subnet;
        this.scope = subnet == null ? 0 : ClientSubnet.UNKNOWN_SCOPE;
    }

    /** Creates the query; its id is assigned later. */
    static QueryMessage of(Question question, QueryForm form, UnpredictableNumbers random) {
        byte[] name = question.name();
        int nameEnd = Wire.HEADER_BYTES + name.length;
        int questionEnd = nameEnd + TYPE_AND_CLASS_BYTES;
        ClientSubnet subnet = form.hasEdns() ? question.subnet() : null;
        byte[] bytes = new byte[questionEnd + optBytes(question, form, subnet)];
        Wire.putU16(bytes, FLAGS_OFFSET, question.isCheckingDisabled() || question.isValidated() ? RD | CD : RD);
        Wire.putU16(bytes, QUESTION_COUNT_OFFSET, 1);
        Wire.putU16(bytes, ADDITIONAL_COUNT_OFFSET, form.hasEdns() ? 1 : 0);
        System.arraycopy(name, 0, bytes, Wire.HEADER_BYTES, name.length);
        if (form.mixesCase()) {
            mixCase(bytes, Wire.HEADER_BYTES, nameEnd, random);
        }
        Wire.putU16(bytes, nameEnd, question.type());
        Wire.putU16(bytes, nameEnd + 2, Wire.CLASS_IN);
        if (form.hasEdns()) {
            writeOpt(bytes, questionEnd, question, form, subnet);
        }
        return new QueryMessage(bytes, questionEnd, subnet);
    }

    private static int optBytes(Question question, QueryForm form, @Nullable ClientSubnet subnet) {
        if (!form.hasEdns()) {
            return 0;
        }
        byte[] cookie = form.cookie();
        byte[] options = question.options();
        return OPT_BYTES
                + (subnet != null && subnet.family() != 0 ? SubnetOption.bytes(subnet.bits()) : 0)
                + (cookie != null ? CookieOption.bytes(cookie) : 0)
                + (options != null ? options.length : 0);
    }

    private static void writeOpt(
            byte[] bytes, int start, Question question, QueryForm form, @Nullable ClientSubnet subnet) {
        // The owner name of OPT is the root: one zero byte, which the array already contains.
        Wire.putU16(bytes, start + 1, RecordType.OPT);
        Wire.putU16(bytes, start + 3, PAYLOAD_BYTES);
        Wire.putU16(bytes, start + 7, question.isDnssecOk() || question.isValidated() ? DO : 0);
        Wire.putU16(bytes, start + DATA_LENGTH_OFFSET, bytes.length - start - OPT_BYTES);
        int at = start + OPT_BYTES;
        if (subnet != null && subnet.family() != 0) {
            at = SubnetOption.write(bytes, at, subnet.family(), subnet.bits(), subnet.high(), subnet.low());
        }
        byte[] cookie = form.cookie();
        if (cookie != null) {
            CookieOption.write(bytes, at, cookie);
        }
        byte[] options = question.options();
        if (options != null) {
            System.arraycopy(options, 0, bytes, bytes.length - options.length, options.length);
        }
    }

    /**
     * Randomizes the case of letters. A label length is lower than the code of any letter, so it is never
     * changed.
     */
    private static void mixCase(byte[] bytes, int from, int to, UnpredictableNumbers random) {
        int bits = 0;
        int bitsLeft = 0;
        for (int at = from; at < to; at++) {
            if (bytes[at] < 'a' || bytes[at] > 'z') {
                continue;
            }
            if (bitsLeft == 0) {
                bits = random.nextU8();
                bitsLeft = Byte.SIZE;
            }
            if ((bits & 1) != 0) {
                bytes[at] ^= CASE_BIT;
            }
            bits >>>= 1;
            bitsLeft--;
        }
    }

    /** Sets the message id to {@code id} and returns the message. Callers must not modify it. */
    byte[] bytes(int id) {
        Wire.putU16(bytes, 0, id);
        return bytes;
    }

    /**
     * Returns whether a message, whose id matches, is a response to this question. An error response may omit the
     * question section (RFC 1035 section 4.1.1 counts the header alone as a message). Only the id identifies such
     * a response.
     *
     * @param message a message; its first {@code length} bytes contain at least a header
     */
    boolean isAnsweredBy(byte[] message, int length) {
        if (!isResponse(message)) {
            return false;
        }
        if (hasNoQuestion(message)) {
            return (message[FLAGS_OFFSET + 1] & RCODE_MASK) != Rcode.NOERROR;
        }
        return length >= questionEnd
                && Wire.u16(message, QUESTION_COUNT_OFFSET) == 1
                && Arrays.equals(bytes, Wire.HEADER_BYTES, questionEnd, message, Wire.HEADER_BYTES, questionEnd)
                && (subnet == null || !subnet.isNetwork() || readScope(message, length));
    }

    /** Returns whether a message answers this query, except that the letter case of the name differs. */
    boolean isAnsweredInOtherCaseBy(byte[] message, int length) {
        return length >= questionEnd
                && isResponse(message)
                && Wire.u16(message, QUESTION_COUNT_OFFSET) == 1
                && Arrays.equals(
                        bytes,
                        questionEnd - TYPE_AND_CLASS_BYTES,
                        questionEnd,
                        message,
                        questionEnd - TYPE_AND_CLASS_BYTES,
                        questionEnd)
                && hasSameName(message)
                && (subnet == null || !subnet.isNetwork() || readScope(message, length));
    }

    /**
     * Compares names without regard to case. A label length is lower than the code of any letter, so the length
     * bytes must be equal.
     */
    private boolean hasSameName(byte[] message) {
        for (int at = Wire.HEADER_BYTES; at < questionEnd - TYPE_AND_CLASS_BYTES; at++) {
            int other = bytes[at] ^ message[at];
            int lower = bytes[at] | CASE_BIT;
            if (other != 0 && (other != CASE_BIT || lower < 'a' || lower > 'z')) {
                return false;
            }
        }
        return true;
    }

    private static boolean isResponse(byte[] message) {
        return (Wire.u16(message, FLAGS_OFFSET) & (QR | OPCODE)) == QR;
    }

    /** Whether a response has no question section. */
    static boolean hasNoQuestion(byte[] response) {
        return Wire.u16(response, QUESTION_COUNT_OFFSET) == 0;
    }

    /** Returns the end offset of the question section in a response to this query. */
    int questionEnd(byte[] response) {
        return hasNoQuestion(response) ? Wire.HEADER_BYTES : questionEnd;
    }

    /** Reads the scope of a response. Returns true if the option is absent or matches the subnet of the query. */
    private boolean readScope(byte[] message, int length) {
        scope = SubnetOption.scope(message, length, questionEnd, bytes, questionEnd + OPT_BYTES);
        return scope != SubnetOption.MISMATCH;
    }

    /**
     * Returns the ECS scope: the number of leading bits of the network for which the response is valid. 0 means
     * that it is valid for all clients, {@link ClientSubnet#UNKNOWN_SCOPE} that the response contains no scope.
     */
    int scope() {
        return scope;
    }

    /** Returns whether a response is truncated (TC). */
    static boolean isTruncated(byte[] response) {
        return (Wire.u16(response, FLAGS_OFFSET) & TC) != 0;
    }
}
