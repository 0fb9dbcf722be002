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

    /** Starts a whole zone; {@link #add} then passes its records without the SOA record. */
    void beginWholeZone(SOARecord soa) throws IOException;

    /** Starts the differences that lead to the version with this SOA record. */
    void beginDifferences(SOARecord soa) throws IOException;

    void add(Record record) throws IOException;

    /** Removes a record; called only for differences. */
    void remove(Record record) throws IOException;
}
