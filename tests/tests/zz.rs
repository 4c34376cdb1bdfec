mod corpus;
#[test]
fn dump() {
    std::fs::create_dir_all("/tmp/corpus").unwrap();
    for (n, t) in corpus::traces(3, 1).into_iter().chain(corpus::random(60)).chain(corpus::samples()) {
        std::fs::write(format!("/tmp/corpus/{}.toml", n.replace(' ', "_")), t).unwrap();
    }
}
