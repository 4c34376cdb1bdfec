use super::*;

#[test]
fn one() {
    assert!(recognise("x").is_none());
}
