package io.ballast.server.acme;

import io.ballast.acme.challenge.ChallengeResponder;
import io.ballast.acme.challenge.ChallengeResponse;
import io.ballast.config.BallastConfig;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.challenge.ChallengeRecords;
import io.ballast.http.HttpFrontend;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves the responses to ACME challenges with the frontends of the process.
 *
 * @param config returns the active configuration
 * @param http returns the HTTP frontend
 * @param dns returns the DNS frontend, if there is one
 */
record ChallengeListeners(
        Supplier<BallastConfig> config, Supplier<HttpFrontend> http, Supplier<Optional<DnsFrontend>> dns)
        implements ChallengeResponder {

    private static final String LABEL = "_acme-challenge.";

    @Override
    public void publish(ChallengeResponse response) throws IOException, InterruptedException {
        if (response instanceof ChallengeResponse.HttpFile file) {
            http.get().challengeFiles().put(file.token(), file.keyAuthorization());
        } else if (response instanceof ChallengeResponse.TextRecord record) {
            DnsFrontend frontend =
                    dns.get().orElseThrow(() -> new IOException("the configuration has no dns to answer dns-01"));
            frontend.publishChallenge(recordName(record.name()), record.digest());
        } else if (response instanceof ChallengeResponse.Handshake handshake) {
            http.get().challengeCertificates().put(handshake.name(), handshake.identity());
        }
    }

    @Override
    public void withdraw(ChallengeResponse response) {
        if (response instanceof ChallengeResponse.HttpFile file) {
            http.get().challengeFiles().remove(file.token());
        } else if (response instanceof ChallengeResponse.TextRecord record) {
            dns.get().ifPresent(frontend -> frontend.withdrawChallenge(recordName(record.name()), record.digest()));
        } else if (response instanceof ChallengeResponse.Handshake handshake) {
            http.get().challengeCertificates().remove(handshake.name());
        }
    }

    /** Returns the name of the record, or the name to which a CNAME record on another server must point. */
    private String recordName(String name) {
        BallastConfig active = config.get();
        boolean isOwn = active.dns()
                .flatMap(present -> ChallengeRecords.zone(present, LABEL + name))
                .isPresent();
        Optional<String> zone = active.acme().flatMap(acme -> acme.challengeZone());
        return isOwn || zone.isEmpty() ? LABEL + name : name + "." + zone.get();
    }
}
