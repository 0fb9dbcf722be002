module ballast/bench/handshakes

go 1.22
