package io.ballast.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.ConfigLoader;
import io.ballast.core.config.vote.Quorum;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolUseTest {

    @TempDir
    private Path directory;

    private PoolUse use(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), text);
        return new PoolUse(ConfigLoader.ofProcess().load(file).config());
    }

    @Test
    void onlyPoolsThatNothingIsSentToAreDecidedByAMajority() throws Exception {
        PoolUse use = use("""
            listeners:
              - name: front
                bind: 127.0.0.1:8080
                routes: [{match: {path: /both}, pool: both}, {pool: web, policies: [copy]}]
            policies: {copy: {mirror: {pool: mirrored}}}
            pools:
              web: {backends: ["10.0.0.1:80"]}
              both: {backends: ["10.0.0.2:80"]}
              mirrored: {backends: ["10.0.0.3:80"]}
              answers: {backends: ["10.0.0.4:80"]}
              spare: {backends: ["10.0.0.5:80"]}
              resolvers: {backends: ["10.0.0.6:53"], health: {type: dns, query: example.com}}
            dns:
              listeners: [{bind: "127.0.0.1:5353"}]
              zones:
                - name: example.org
                  services:
                    - {name: a, pool: answers, when_all_down: {fallback: spare}}
                    - {name: b, pool: both}
                    - {name: m, pool: mirrored}
              forward: {pool: resolvers}
            """);

        assertThat(use.defaultQuorum("answers")).isEqualTo(Quorum.MAJORITY);
        assertThat(use.defaultQuorum("spare")).isEqualTo(Quorum.MAJORITY);
        for (String local : new String[] {"web", "both", "mirrored", "resolvers", "unknown"}) {
            assertThat(use.defaultQuorum(local)).as(local).isEqualTo(Quorum.LOCAL);
        }
    }
}
