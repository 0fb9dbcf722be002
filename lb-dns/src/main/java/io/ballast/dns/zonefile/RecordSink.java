package io.ballast.dns.zonefile;

import org.xbill.DNS.Record;

/** Receives the records of a zone file in order. */
@FunctionalInterface
public interface RecordSink {

    /**
     * Receives one record.
     *
     * @param place the position of the record's first word, which is the owner unless the entry omits it
     */
    void accept(Record found, ZoneFilePosition place);
}
