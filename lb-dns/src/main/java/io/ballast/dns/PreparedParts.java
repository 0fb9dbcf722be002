package io.ballast.dns;

import io.ballast.dns.answer.AnswerConfig;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.querylog.QueryLog;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The prepared parts of another configuration of the frontend.
 *
 * @param managedZones managed zones; null if the frontend has no data directory
 * @param zones the next zones; the same object as the active zones if no zone changes
 * @param warnings warnings for the operator
 */
record PreparedParts(
        DnsConfig config,
        ZoneInputs inputs,
        ManagedZones.@Nullable Prepared managedZones,
        CompiledZones zones,
        AnswerConfig answers,
        ForwardPart.Prepared forwarding,
        QueryLog.Prepared logging,
        ControlPart.Prepared controlling,
        ListenersChange listeners,
        List<String> warnings) {

    PreparedParts {
        warnings = List.copyOf(warnings);
    }
}
