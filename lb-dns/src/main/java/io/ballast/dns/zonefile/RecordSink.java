package io.ballast.dns.zonefile;

import org.xbill.DNS.Record;

/** Takes the records of a zone file in their order. */
@FunctionalInterface
public interface RecordSink {

    /**
     * Takes one record.
     *
     * @param place of its first word, which is its owner unless the line before has the same
     */
    void accept(Record found, ZoneFilePosition place);
}
