package io.ballast.dns.secondary.transfer;

import java.io.IOException;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;

/**
 * Receives the records of a transfer. They are used only after the transfer has completed, because the authentication
 * covers the last record.
 *
 * <p>Confined to the thread of the transfer.
 */
public interface TransferSink {

    /** The whole zone follows, without its SOA record, by {@link #add}. */
    void whole(SOARecord soa) throws IOException;

    /** Differences follow, which lead to this version. */
    void differences(SOARecord soa) throws IOException;

    void add(Record record) throws IOException;

    /** Only among differences. */
    void remove(Record record) throws IOException;
}
