package io.ballast.dns.control;

import io.ballast.dns.wire.RecordType;
import org.xbill.DNS.DClass;

/** What requests are. Any thread may call. */
final class Requests {

    private Requests() {}

    /** Whether it asks for a zone as a whole. */
    static boolean isTransfer(ControlRequest request) {
        return request.question()
                .map(asked -> RecordType.isTransfer(asked.getType()) && asked.getDClass() == DClass.IN)
                .orElse(false);
    }
}
