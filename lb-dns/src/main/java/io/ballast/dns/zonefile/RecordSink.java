package io.ballast.dns.zonefile;

import org.xbill.DNS.Record;

/** Receives the records of a zone file in order. */
@FunctionalInterface
public interface RecordSink {

    /**
     * Receives one record.
     *
     * @param place location of its first word, which is its owner unless the previous line has the same owner
     */
    void accept(Record found, ZoneFilePosition place);
}
