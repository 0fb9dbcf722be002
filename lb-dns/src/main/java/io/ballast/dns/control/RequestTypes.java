package io.ballast.dns.control;

import io.ballast.dns.wire.RecordType;
import org.xbill.DNS.DClass;

/** Classifies requests. May be called from any thread. */
final class RequestTypes {

    private RequestTypes() {}

    /** Whether the request is a zone transfer. */
    static boolean isTransfer(ControlRequest request) {
        return request.question()
                .map(question -> RecordType.isTransfer(question.getType()) && question.getDClass() == DClass.IN)
                .orElse(false);
    }
}
