package io.ballast.http.exchange;

/** The head of a response, in the form in which a backend's protocol yields it. */
public interface ResponseHead {

    int status();
}
