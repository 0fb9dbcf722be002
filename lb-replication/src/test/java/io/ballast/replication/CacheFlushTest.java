package io.ballast.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dashboard.source.HttpCaches;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CacheFlushTest {

    @Test
    void aFlushOfHttpCachesIsReadBack() {
        HttpCaches.Selection selection = new HttpCaches.Selection(
                Optional.of("pages"), Optional.of("https://example.com/*"), Optional.of("news"));
        CacheFlush flush = CacheFlush.ofHttp(selection, "ann");
        assertThat(CacheFlush.decode(flush.encode())).contains(flush);
        assertThat(flush.selection()).isEqualTo(selection);
        assertThat(CacheFlush.decode(CacheFlush.ofHttp(
                                new HttpCaches.Selection(Optional.empty(), Optional.empty(), Optional.empty()), "")
                        .encode()))
                .map(CacheFlush::parameters)
                .contains(Map.of());
    }

    @Test
    void aFlushOfTheDnsCacheIsReadBack() {
        CacheFlush flush = CacheFlush.ofDns(Optional.of("example.com."), /* below= */ true, Optional.of("AAAA"));
        assertThat(CacheFlush.decode(flush.encode())).contains(flush);
        assertThat(flush.parameter("below")).contains("true");
    }

    @Test
    void otherTextsAreNotFlushes() {
        assertThat(CacheFlush.decode("{\"cache\":\"answers of another version\"}"))
                .isEmpty();
        assertThat(CacheFlush.decode("not JSON")).isEmpty();
    }

    @Test
    void longParametersAreRefused() {
        assertThatThrownBy(() -> CacheFlush.ofDns(Optional.of("x".repeat(4097)), false, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
