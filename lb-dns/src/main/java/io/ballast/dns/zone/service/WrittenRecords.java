package io.ballast.dns.zone.service;

import io.ballast.core.ErrorText;
import io.ballast.dns.answer.data.Alias;
import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.config.zone.ServiceType;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.RecordWriter;
import java.io.IOException;
import java.util.List;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Tokenizer;
import org.xbill.DNS.Type;

/**
 * Reads and writes records of one type in the notation of the configuration. Immutable; any thread may use
 * it.
 *
 * @param type the type of the records
 * @param apex the name of the zone, to which names without a final dot are relative
 */
record WrittenRecords(int type, Name apex) {

    static WrittenRecords of(ServiceType type, Name apex) {
        return new WrittenRecords(Type.value(type.name()), apex);
    }

    boolean isAlias() {
        return type == Type.CNAME;
    }

    /**
     * Reads the data of a record.
     *
     * @param data record data in the notation of zone files (RFC 1035 section 5.1)
     * @throws IllegalArgumentException if the data is invalid for the type; the message says why
     */
    Record parse(String data) {
        try (Tokenizer tokens = new Tokenizer(data)) {
            return Record.fromString(Name.root, type, DClass.IN, /* ttl= */ 0, tokens, apex);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "records: '" + data + "' (expected: data of " + Type.string(type) + " records as in a zone file; "
                            + reason(e) + ")",
                    e);
        }
    }

    /** Returns the reason of a parse error without its location, because the data is not from a file. */
    private static String reason(IOException e) {
        return ErrorText.of(e).replaceFirst("^<none>:\\d+: ", "");
    }

    /** Returns the answer with these records, whose signature is created on demand. */
    Answer answer(List<Record> records, int ttlSeconds) {
        RecordSet set = new RecordSet(Name.root, type, ttlSeconds, records);
        Answer answer = RecordWriter.signed(set, ttlSeconds, Name.root, SetSigner.ON_DEMAND);
        return isAlias()
                ? new Alias(
                        answer,
                        ((CNAMERecord) records.get(0))
                                .getTarget()
                                .canonicalize()
                                .toWire())
                : answer;
    }
}
