package io.ballast.dns.secondary;

import io.ballast.dns.control.ControlHandler;
import io.ballast.dns.control.ControlRequest;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/**
 * Handles NOTIFY messages from primaries (<a href="https://datatracker.ietf.org/doc/html/rfc1996">RFC 1996</a>).
 * Messages from other servers are refused; messages about zones that are not secondary are not handled. The serial in
 * the message is ignored, because the primary is queried anyway.
 *
 * @param zones the secondary zones
 */
public record Notifications(SecondaryZones zones) implements ControlHandler {

    @Override
    public boolean onNotify(ControlRequest request) {
        Record about = request.question().orElse(null);
        if (about == null || about.getType() != Type.SOA || about.getDClass() != DClass.IN) {
            return false;
        }
        return switch (zones.handleNotify(
                name(about.getName()), request.client(), request.key().map(Notifications::name))) {
            case TAKEN -> {
                Message response = request.response(Rcode.NOERROR);
                response.getHeader().setFlag(Flags.AA);
                request.respond(response);
                yield true;
            }
            case REFUSED -> {
                request.respond(Rcode.REFUSED);
                yield true;
            }
            case NOT_SECONDARY -> false;
        };
    }

    private static String name(Name name) {
        return name.toString(/* omitFinalDot= */ true);
    }
}
