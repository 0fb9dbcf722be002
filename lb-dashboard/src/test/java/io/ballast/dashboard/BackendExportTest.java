package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class BackendExportTest {

    private static final String PATH = "/api/v1/backends";

    @AutoClose
    private final DashboardFixture fixture;

    BackendExportTest() throws IOException {
        fixture = new DashboardFixture(2);
    }

    @Test
    void backendsAreExportedAsJson() throws Exception {
        JsonTree backends = JsonTree.of(fixture.get(PATH).body()).at("backends");

        assertThat(backends.items())
                .extracting(backend -> backend.at("addr").text())
                .containsExactly("127.0.0.1:9001", "127.0.0.1:9002");
    }

    @Test
    void backendsAreExportedAsCsv() throws Exception {
        fixture.traffic(1, 4, 20);
        fixture.down(0, "=cmd|' /C calc'!A0, \"quoted\"");

        HttpResponse<String> answer = fixture.get(PATH + "?format=csv");

        assertThat(answer.headers().firstValue("content-type")).hasValue("text/csv; charset=utf-8; header=present");
        assertThat(answer.headers().firstValue("content-disposition"))
                .hasValue("attachment; filename=\"backends.csv\"");
        assertThat(answer.body()).endsWith("\r\n");
        List<String> lines = List.of(answer.body().split("\r\n"));
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).startsWith("pool,addr,state,is_host_alive,since,reason,");
        assertThat(lines.get(1))
                .startsWith("web,127.0.0.1:9001,down,false,")
                .contains(",\"'=cmd|' /C calc'!A0, \"\"quoted\"\"\",");
        List<String> names = List.of(lines.get(0).split(",", -1));
        List<String> values = List.of(lines.get(2).split(",", -1));
        assertThat(values).hasSameSizeAs(names);
        assertThat(values.get(names.indexOf("total_req_count"))).isEqualTo("4");
        assertThat(values.get(names.indexOf("2xx"))).isEqualTo("4");
    }

    @Test
    void unknownFormatsAreRejected() throws Exception {
        assertThat(fixture.get(PATH + "?format=xls").statusCode()).isEqualTo(400);
    }
}
