package io.ballast.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FetchClientsTest {

    private final FetchClients clients = new FetchClients();

    private static Optional<CaFile> authority(String file) {
        return Optional.of(new CaFile(Path.of(file), List.of()));
    }

    @Test
    void ownersWithTheSameAuthoritiesShareAClient() {
        FetchClient first = clients.of(Optional.empty());
        FetchClient own = clients.of(authority("a.pem"));

        assertThat(clients.of(Optional.empty())).isSameAs(first);
        assertThat(clients.of(authority("a.pem"))).isSameAs(own).isNotSameAs(first);
        assertThat(clients.of(authority("b.pem"))).isNotSameAs(own);
    }

    @Test
    void requestThatCannotStartFails() {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:1/")).build();

        assertThatThrownBy(() -> clients.of(Optional.empty())
                        .send(request, /* maxBytes= */ 10, Duration.ofMinutes(1))
                        .join())
                .hasMessageContaining("ConnectException");
    }
}
