package io.ballast.dns.net.doh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DohRequestTest {

    @ParameterizedTest
    @CsvSource({
        "GET, /dns-query?dns=AAAA, , , 0, 200",
        "GET, /dns-query, , , 0, 200",
        "POST, /dns-query, application/dns-message, , 16384, 200",
        "POST, /dns-query?ct=x, Application/DNS-Message; charset=utf-8, , 12, 200",
        "POST, /dns-query, application/dns-message, , 16385, 413",
        "POST, /dns-query, application/dns-json, , 12, 415",
        "POST, /dns-query, application/dns-messages, , 12, 415",
        "POST, /dns-query, , , 12, 415",
        "POST, /dns-query, application/dns-message, gzip, 12, 415",
        "PUT, /dns-query, application/dns-message, , 12, 405",
        "HEAD, /dns-query?dns=AAAA, , , 0, 405",
        "get, /dns-query?dns=AAAA, , , 0, 405",
        "GET, /, , , 0, 404",
        "GET, /dns-query/, , , 0, 404",
        "PUT, /dns-querys?dns=AAAA, , , 0, 404",
        ", /dns-query, , , 0, 400",
        "GET, , , , 0, 400",
    })
    void judgesByTheHead(String method, String target, String type, String encoding, long length, int status) {
        assertThat(DohRequest.validate(method, target, type, encoding, length).code())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dns-query?dns=-_8A", "/dns-query?a=b&dns=-_8A&dns=AAAA", "/dns-query?dns=-_8A&c"})
    void findsQueryParameter(String target) {
        assertThat(DohRequest.query(target)).containsExactly(0xfb, 0xff, 0x00);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/dns-query",
                "/dns-query?",
                "/dns-query?dns",
                "/dns-query?dns=",
                "/dns-query?xdns=AAAA",
                "/dns-query?dns=A",
                "/dns-query?dns=AA==",
                "/dns-query?dns=+/AA",
                "/dns-query?dns=AA%3D",
                "/dns-query?dns=AA AA",
            })
    void findsNoMissingQueryParameter(String target) {
        assertThat(DohRequest.query(target)).isNull();
    }
}
