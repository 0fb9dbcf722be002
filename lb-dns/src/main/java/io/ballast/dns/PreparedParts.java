package io.ballast.dns;

import io.ballast.dns.answer.AnswerConfig;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.querylog.QueryLog;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that another configuration of the frontend is made of, ready to take the place of what is in force.
 *
 * @param keeping zones that are kept in the data directory; null if there can be none
 * @param zones those in force, if nothing about them changes
 * @param warnings what the operator should know
 */
record PreparedParts(
        DnsConfig config,
        ZoneInputs inputs,
        KeptZones.@Nullable Prepared keeping,
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
