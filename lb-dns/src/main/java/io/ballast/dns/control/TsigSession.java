package io.ballast.dns.control;

import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Section;
import org.xbill.DNS.TSIG;
import org.xbill.DNS.TSIGRecord;

/**
 * The TSIG of a request, and of the messages of its response. The signature of each message also covers the
 * previous one (<a href="https://datatracker.ietf.org/doc/html/rfc8945#section-5.3">RFC 8945 section
 * 5.3</a>).
 *
 * <p>Thread safety: used by one thread at a time.
 */
final class TsigSession {

    private static final byte[] NO_BYTES = {};
    private static final int ADDITIONAL_COUNT = 10;

    private final @Nullable TSIG key;
    private final @Nullable TSIGRecord query;
    private final int error;
    /** The TSIG of the previous message; null before the first message. */
    private @Nullable TSIGRecord last;

    private TsigSession(@Nullable TSIG key, @Nullable TSIGRecord query, int error) {
        this.key = key;
        this.query = query;
        this.error = error;
    }

    /** Verifies the TSIG of a message, if it has one. */
    static TsigSession of(Message message, byte[] wire, TsigKeys keys) {
        TSIGRecord query = message.getTSIG();
        if (query == null) {
            return new TsigSession(/* key= */ null, /* query= */ null, Rcode.NOERROR);
        }
        Optional<TSIG> key = keys.find(query.getName());
        return key.map(known -> new TsigSession(known, query, known.verify(message, wire, /* requestTSIG= */ null)))
                .orElseGet(() -> new TsigSession(/* key= */ null, query, org.xbill.DNS.Rcode.BADKEY));
    }

    /**
     * Returns the TSIG error: BADKEY, BADSIG, BADTIME or, rarely, another error; {@link Rcode#NOERROR} if the
     * signature is valid.
     */
    int error() {
        return error;
    }

    /** The key name; empty for a message without a valid signature. */
    Optional<Name> signer() {
        return query == null || error != Rcode.NOERROR ? Optional.empty() : Optional.of(query.getName());
    }

    /** Returns the maximum number of bytes that a TSIG adds to a response message. */
    int bytes() {
        // The longest MAC has 64 bytes. The server time in a BADTIME error has 6 bytes.
        return query == null
                ? 0
                : query.getName().length() + query.getAlgorithm().length() + 10 + 16 + 64 + 6;
    }

    /**
     * Returns the message with its TSIG appended, or with a TSIG error instead of a signature (section 5.3.2).
     */
    byte[] sign(byte[] message, int length) {
        TSIGRecord queryTsig = query;
        if (queryTsig == null) {
            return Arrays.copyOf(message, length);
        }
        byte[] record = record(queryTsig, Arrays.copyOf(message, length)).toWire(Section.ADDITIONAL);
        byte[] signed = Arrays.copyOf(message, length + record.length);
        System.arraycopy(record, 0, signed, length, record.length);
        Wire.putU16(signed, ADDITIONAL_COUNT, Wire.u16(signed, ADDITIONAL_COUNT) + 1);
        return signed;
    }

    private TSIGRecord record(TSIGRecord queryTsig, byte[] message) {
        if (key == null || (error != Rcode.NOERROR && error != org.xbill.DNS.Rcode.BADTIME)) {
            return new TSIGRecord(
                    queryTsig.getName(),
                    DClass.ANY,
                    /* ttl= */ 0,
                    queryTsig.getAlgorithm(),
                    queryTsig.getTimeSigned(),
                    queryTsig.getFudge(),
                    NO_BYTES,
                    queryTsig.getOriginalID(),
                    error,
                    NO_BYTES);
        }
        Message id = new Message(Wire.u16(message, 0));
        TSIGRecord made =
                key.generate(id, message, error, last == null ? queryTsig : last, /* fullSignature= */ last == null);
        last = made;
        return made;
    }
}
