package io.ballast.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.server.testing.ForeignFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends at least twenty requests through HAProxy or nginx, and through Ballast with the configuration
 * imported from the same file. They must get the same status, reach the same pool with the same path and
 * headers, and lead to the same location. Skipped where the other balancer is not installed.
 */
class ImportCorpusTrafficTest {

    private static final int MIN = 20;
    private static final int MAX_SHOWN = 3;

    /** Headers in which clients describe themselves; each must reach the backend in the same way through both balancers. */
    private static final List<List<String>> SPOOFED = List.of(
            List.of(),
            List.of(
                    "X-Forwarded-For: 192.0.2.1, 192.0.2.2",
                    "X-Forwarded-Proto: https",
                    "X-Forwarded-Host: evil.example",
                    "X-Forwarded-Port: 4443",
                    "X-Forwarded-Server: evil",
                    "X-Forwarded-Ssl: on",
                    "Forwarded: for=192.0.2.1;proto=https",
                    "X-Real-IP: 192.0.2.1",
                    "X-Url-Scheme: https",
                    "X-SSL: 1",
                    "X-Client-IP: 192.0.2.1",
                    "X-Beta: on",
                    "Cookie: session=abc"),
            List.of("X-Forwarded-For: 192.0.2.7", "Accept-Encoding: gzip", "Upgrade-Insecure-Requests: 1"),
            List.of("X-Forwarded-Proto: https", "X_Real_IP: 192.0.2.9", "X-Client-Verified: SUCCESS"));

    @TempDir
    private Path directory;

    static List<ForeignFile> files() {
        return ForeignFile.all().stream()
                .filter(file -> file.comment("traffic").isEmpty())
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void requestsMatchOriginal(ForeignFile file) throws Exception {
        assumeTrue(ForeignBalancer.isInstalled(file), "not installed: " + file.balancer());
        try (EchoBackends backends = new EchoBackends()) {
            ForeignBalancer setup = ForeignBalancer.of(file, directory, backends);
            List<EchoedRequest> requests = requests(file, setup);

            Map<String, String> there = setup.requestOriginal(requests);
            Map<String, String> here = setup.requestImported(requests);

            assertThat(requests).hasSizeGreaterThanOrEqualTo(MIN);
            assertThat(differences(there, here)).isEmpty();
        }
    }

    private static List<String> differences(Map<String, String> there, Map<String, String> here) {
        List<String> differences = new ArrayList<>();
        there.forEach((request, answer) -> {
            if (!answer.equals(here.get(request)) && differences.size() < MAX_SHOWN) {
                differences.add(request + "\n--- original\n" + answer + "\n--- imported\n" + here.get(request));
            }
        });
        return differences;
    }

    private static List<EchoedRequest> requests(ForeignFile file, ForeignBalancer setup) {
        List<EchoedRequest> requests = new ArrayList<>();
        for (int port : setup.ports()) {
            for (String method : List.of("GET", "POST", "HEAD")) {
                for (String host : file.words("hosts")) {
                    for (String path : file.words("paths")) {
                        for (List<String> headers : SPOOFED) {
                            requests.add(new EchoedRequest(port, setup.isTls(port), method, host, path, headers));
                        }
                    }
                }
            }
        }
        return requests;
    }
}
